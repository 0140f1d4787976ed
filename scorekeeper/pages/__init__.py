"""Pages: pure functions from events and what was typed to a template and its context. No Flask, no database."""
