"""An app on an empty data folder, its browser, and matches to play with."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from tests.web.asking import DOMINO, Api


@pytest.fixture(scope="session")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the static files compressed, which takes most of an app's start."""
    data = tmp_path_factory.mktemp("static")
    create_app({"DATA": str(data)}).extensions["log"].close()
    (data / "scorekeeper.db").unlink()
    return data


@pytest.fixture(scope="session")
def new_database(database: str, request: pytest.FixtureRequest) -> Callable[[], dict[str, str]]:
    """Gives settings for an app with a new, empty database."""
    if database == "sqlite":
        return dict  # the one in its data folder
    postgres = request.getfixturevalue("postgres")
    return lambda: {"DATABASE": postgres.fresh(), "SECRET_KEY": "the same for all"}


@pytest.fixture
def build(tmp_path: Path, static: Path, new_database: Callable[[], dict[str, str]]) -> Iterator[Callable[..., Flask]]:
    """Builds an app with other settings on a data folder and a database of its own; closed after the test."""
    made: list[Flask] = []

    def build_it(**config: Any) -> Flask:
        data = tmp_path / str(len(made))
        for folder in static.glob("static-*"):
            shutil.copytree(folder, data / folder.name)
        made.append(create_app({"DATA": str(data), "WRITES": "100000 per minute", **new_database(), **config}))
        return made[-1]

    yield build_it
    for app in made:
        app.extensions["hub"].close()
        app.extensions["log"].close()


@pytest.fixture
def app(build: Callable[..., Flask]) -> Flask:
    return build()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def api(client: FlaskClient) -> Api:
    return Api(client)


@pytest.fixture
def stranger(app: Flask) -> Api:
    return Api(app.test_client(), "a-token-of-somebody-else")


@pytest.fixture
def match_id(api: Api) -> str:
    """A match of Block with one round, which is its version 2."""
    return api.create(DOMINO)
