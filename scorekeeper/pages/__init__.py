"""Pages: pure functions from a match's events and what was typed to a template and its context. No Flask, no database."""
