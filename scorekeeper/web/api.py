"""The JSON API."""

from flask import Flask


def install(app: Flask) -> None:
    """Adds the routes."""
