"""The append-only event log: the only truth about a match. `Log` in log.py is its one door."""
