"""The rules, the scoring and the match document: standard library only, so that the same code runs in a browser."""
