"""The reference engine: deals, legal moves, play and the end of a round, for every variant from one set of rules."""
