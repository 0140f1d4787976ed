"""Where the engine for browsers lies once `make runtime` built it, and whether what was built is this very code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

BUNDLED = (
    "scorekeeper/__init__.py",
    "scorekeeper/device.py",
    "scorekeeper/core/**/*.py",
    "scorekeeper/pages/**/*.py",
    "templates/**/*",
    "translations/**/*.po",
)
LIBRARIES = ("jinja2", "markupsafe")  # pure Python, bundled beside the app
BUILDERS = ("scripts/make_runtime.py", "scripts/make_runtime.mjs", "scripts/runtime_inside.py")
MANIFEST = "runtime.json"
LIBRARY = "python.zip"  # the standard library, trimmed


def folder(root: Path) -> Path:
    """Where `make runtime` writes."""
    return root / "static" / "runtime"


def bundled(root: Path) -> list[Path]:
    """The files of the app that may go to the device, sorted: what the worker's door does not lead to stays behind."""
    found = {path for pattern in BUNDLED for path in root.glob(pattern) if path.is_file()}
    return sorted(path for path in found if "__pycache__" not in path.parts)


def fingerprint(root: Path, inputs: Iterable[str]) -> str:
    """Names what the runtime is made of: the libraries, the tools, and these files of the app; 64 hexadecimal digits.
    Raises `FileNotFoundError` where one of them is gone."""
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in LIBRARIES).encode())
    for name in (*sorted(inputs), *BUILDERS):
        digest.update(name.encode() + b"\0" + (root / name).read_bytes() + b"\0")
    return digest.hexdigest()


def built(root: Path) -> dict[str, Any] | None:
    """What `make runtime` said of its work; None where it was not built, or from other sources than these."""
    try:
        manifest: dict[str, Any] = json.loads((folder(root) / MANIFEST).read_text())
        return manifest if manifest["sources"] == fingerprint(root, manifest["inputs"]) else None
    except (OSError, ValueError, KeyError):
        return None
