"""Static files: served under a path that names their content, compressed once, kept by browsers for good."""

from __future__ import annotations

import gzip
import hashlib
import shutil
from pathlib import Path
from wsgiref.headers import Headers

import brotli
from flask import Flask
from whitenoise import WhiteNoise

COMPRESSED = {".css", ".js", ".svg", ".webmanifest"}
YEAR = 365 * 24 * 3600


def install(app: Flask) -> None:
    """Serves `static/` at `/static/<hash>/…` ahead of Flask and teaches `app` the addresses."""
    source = Path(app.config["ROOT"]) / "static"
    version = _fingerprint(source)
    prefix = f"/static/{version}/"
    ready = _compress(source, Path(app.config["DATA"]) / f"static-{version}")
    app.wsgi_app = WhiteNoise(  # type: ignore[method-assign]
        app.wsgi_app,
        root=str(ready),
        prefix=prefix,
        max_age=YEAR,
        immutable_file_test=lambda *_: True,
        allow_all_origins=False,
        add_headers_function=headers,
    )
    app.extensions["asset_url"] = lambda filename: prefix + filename


def headers(headers: Headers, _path: str, _url: str) -> None:
    """What every answer that never reaches Flask says."""
    headers["X-Content-Type-Options"] = "nosniff"  # these answers never reach Flask, which says it for all others


def names(app: Flask) -> list[str]:
    """What `static/` holds, as `app.extensions["asset_url"]` takes it."""
    source = Path(app.config["ROOT"]) / "static"
    return [path.relative_to(source).as_posix() for path in _files(source)]


def _files(folder: Path) -> list[Path]:
    """What is committed: not the engine for browsers, which has addresses of its own (scorekeeper/web/device.py)."""
    built = folder / "runtime"
    return sorted(path for path in folder.rglob("*") if path.is_file() and built not in path.parents)


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in _files(folder):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _compress(source: Path, target: Path) -> Path:
    """A copy of `source` with compressed siblings; made once for each version, older ones are removed."""
    if target.exists():
        return target
    half = target.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    for path in _files(source):
        copy = half / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    for path in _files(half):
        if path.suffix in COMPRESSED:
            data = path.read_bytes()
            path.with_name(path.name + ".br").write_bytes(brotli.compress(data, quality=11))
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(data, 9, mtime=0))
    for old in target.parent.glob("static-*"):
        if old != half:
            shutil.rmtree(old, ignore_errors=True)
    half.rename(target)
    return target
