"""What deploy/ says fits the app: its settings, files, ports and times. The containers themselves are not started here;
nginx' configuration is what tests/scale runs.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from app import GRACE, settings

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
NGINX = (DEPLOY / "nginx" / "scorekeeper.conf").read_text("utf-8")
VARIABLE = re.compile(r"\$\{(\w+)(?::[?-])?[^}]*\}")


class Asked(dict[str, str]):
    """An environment that remembers what was looked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return default


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Every variable that the app reads."""
    asked = Asked()
    settings(asked)
    return asked.names | {"HOST", "PORT"} | {"PYTHONUNBUFFERED"}


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def test_every_setting_is_one_of_the_apps(known: set[str], compose: Any) -> None:
    for name in ("app-1", "app-2"):
        assert compose["services"][name]["environment"].keys() <= known
    (line,) = re.findall(r"^ENV (.*)", DOCKERFILE, re.MULTILINE)
    assert {each.partition("=")[0] for each in line.split()} <= known


def test_what_is_to_be_filled_in_is_what_is_used() -> None:
    used = set(VARIABLE.findall((DEPLOY / "compose.yaml").read_text("utf-8")))
    given = re.findall(r"^(\w+)=", (DEPLOY / "env.example").read_text("utf-8"), re.MULTILINE)
    assert sorted(used) == sorted(given)


def test_the_image_holds_all_that_it_names_and_nothing_is_kept_from_it() -> None:
    copied = {word for line in re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.MULTILINE) for word in line.split()}
    assert all((ROOT / name).exists() for name in copied)
    ignore = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").split()
    assert {name.removeprefix("!") for name in ignore if name.startswith("!")} == copied
    assert {"app.py", "scorekeeper", "static", "templates", "translations"} <= copied


def test_what_the_image_runs_while_it_is_built_can_be_run() -> None:
    (code,) = re.findall(r'python -c "(.*?)"', DOCKERFILE)
    ast.parse(code)
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_ports_and_names_agree(compose: Any) -> None:
    (port,) = re.findall(r"^EXPOSE (\d+)", DOCKERFILE, re.MULTILINE)
    assert f"PORT={port} " in DOCKERFILE
    apps = {name for name, service in compose["services"].items() if service.get("image") == "scorekeeper"}
    assert len(apps) == 2
    assert set(re.findall(r"server ([\w-]+:\d+);", NGINX)) == {f"{name}:{port}" for name in apps}
    nginx = compose["services"]["nginx"]
    assert nginx["depends_on"].keys() == apps
    (listens,) = re.findall(r"listen (\d+);", NGINX)
    assert nginx["ports"][0].endswith(f":{listens}")
    assert all((DEPLOY / volume.partition(":")[0]).is_file() for volume in nginx["volumes"])
    for name in apps:
        service = compose["services"][name]
        assert f":{port}/readyz" in service["healthcheck"]["test"][-1]
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
        assert service["environment"]["SCOREKEEPER_PROXY"] == "1"


def test_a_container_is_given_the_time_that_the_app_takes_to_stop(compose: Any) -> None:
    assert int(compose["services"]["app-1"]["stop_grace_period"].removesuffix("s")) > GRACE
