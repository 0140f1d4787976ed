"""The rules, the scoring and the match document. Standard library only: the same code runs in a browser."""
