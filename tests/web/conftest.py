"""An app on an empty data folder, its browser, and matches to play with."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from tests.web import twins
from tests.web.asking import DOMINO, Api


@pytest.fixture(scope="session")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the static files compressed, which takes most of an app's start."""
    data = tmp_path_factory.mktemp("static")
    create_app({"DATA": str(data)}).extensions["log"].close()
    (data / "scorekeeper.db").unlink()
    return data


@contextmanager
def lent(database: str, request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """Settings for an app with an empty database, which is another's after the block."""
    if database == "sqlite":
        yield {}  # the one in its data folder
        return
    postgres, redis = map(request.getfixturevalue, ("postgres", "redis"))
    address = postgres.fresh()
    yield {"DATABASE": address, "REDIS": redis.fresh(), "SECRET_KEY": "the same for all"}
    postgres.back(address)


@pytest.fixture(scope="module")
def house(
    database: str, static: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Flask]:
    """One app for all tests of a file, without CSRF: who may is asked before, or the tests would see only that."""
    settings = {"DATA": str(tmp_path_factory.mktemp("house")), "WRITES": "1000000 per minute"}
    with lent(database, request) as own:
        app = twins.create({**settings, "WTF_CSRF_ENABLED": False, **own})
        yield app
        twins.close(app)


@pytest.fixture
def build(
    tmp_path: Path, static: Path, database: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Flask]]:
    """Builds an app with other settings on a data folder and a database of its own; closed after the test."""
    made: list[Flask] = []
    with ExitStack() as stack:

        def build_it(**config: Any) -> Flask:
            data = tmp_path / str(len(made))
            data.mkdir()
            for folder in static.glob("static-*"):
                (data / folder.name).symlink_to(folder)
            own = stack.enter_context(lent(database, request))
            made.append(twins.create({"DATA": str(data), "WRITES": "100000 per minute", **own, **config}))
            stack.callback(twins.close, made[-1])
            return made[-1]

        yield build_it


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
