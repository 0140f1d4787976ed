"""Runs inside Pyodide, under Node, for scripts/make_runtime.py: compiles what the browser's worker will load.

Only the very Python that runs the code can compile it. /stage holds the app as it will lie in the worker's file system
(`/stage/app`); this writes `/stage/out/app` and `/stage/out/lib`, all `.pyc`, and `/stage/out/python.json`.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import marshal
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

STAGE = Path("/stage")
APP, OUT = STAGE / "app", STAGE / "out"
LIBRARY = Path(f"/lib/python{sys.version_info[0]}{sys.version_info[1]}.zip")
DOOR = "scorekeeper.device"
FOLDERS = ("entry/", "home/", "match/", "practice/_", "rules/", "table/")  # of templates that a device draws
SINGLE = ("share/screen.html",)
SOURCE = "en"
# Asked for by name while the interpreter runs, so that no import statement tells.
ALWAYS = ("encodings.ascii", "encodings.latin_1", "encodings.utf_8", "encodings.idna", "stringprep", "traceback")
# Docstrings of these are data that Pyodide shows.
KEEP_DOCSTRINGS = ("_pyodide", "pyodide")


def imported(source: str, package: str) -> Iterator[str]:
    """Every module that `source`, of the given package, imports anywhere, also inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield importlib.util.resolve_name("." * node.level + (node.module or ""), package)


def load_everything() -> None:
    """Imports the worker's door and all that it may ever import, so that `sys.modules` names what is used."""
    sys.path.insert(0, str(APP))
    for name in (DOOR, *ALWAYS):
        importlib.import_module(name)
    seen: set[str] = set()
    while ours := {name for name in sys.modules if name.split(".")[0] == DOOR.split(".")[0]} - seen:
        for path in map(place, ours):
            package = ".".join(path.relative_to(APP).parts[:-1])
            for name in imported(path.read_text("utf-8"), package):
                importlib.import_module(name)
        seen |= ours
    play()


class Anywhere(dict[str, str]):
    """An address for everything."""

    def __missing__(self, key: str) -> str:
        return "/"


def play() -> None:
    """The start of a match in every variant and language: Jinja and others import by name while they run."""
    from scorekeeper import device
    from scorekeeper.core.variants import VARIANTS
    from scorekeeper.pages.words import LANGUAGES

    for variant in VARIANTS.values():
        for language in LANGUAGES:
            seats = ["human", *["easy"] * ((variant.played_by or variant.seats)[0] - 1)]
            asked = {"do": "start", "variant": variant.key, "rules": variant.played_rules, "seats": seats, "seed": 1}
            said = device.answer({**asked, "language": language, "home": {"addresses": Anywhere()}})
            if "html" not in said:
                raise ValueError(f"{variant.key} does not start: {said}")
    show()


def show() -> None:
    """The pages of a match in every language, and its files."""
    from scorekeeper import device
    from scorekeeper.core.variants import VARIANTS
    from scorekeeper.pages.words import LANGUAGES

    rules = {"match.export_csv": "/m/<match_id>/csv", "match.enter": "/m/<match_id>/round", "home.create": "/new/<key>",
             "home.rules": "/rules/<key>", "match.sheet": "/m/<match_id>/sheet"}
    home = {"addresses": Anywhere(rules)}
    for variant in VARIANTS.values():
        for language in LANGUAGES:
            form = {"start": "1", **{f"name-{seat}": f"P{seat}" for seat in range(variant.seats[0])}}
            asked = {"language": language, "home": home, "id": "here-1"}
            said = device.answer({"do": "submit", "path": f"/new/{variant.key}", "form": form, **asked})
            events = [{**event, "version": 1, "at": "", "by": None} for event in said["begin"]]
            for path in ("/m/1/csv", "/m/1/round", "/m/1/sheet", f"/rules/{variant.key}"):
                said = device.answer({"do": "page", "path": path, "events": events, **asked})
                if "html" not in said:
                    raise ValueError(f"{variant.key} has no {path}: {said}")


def place(module: str) -> Path:
    """The file of a module of the app."""
    origin = importlib.util.find_spec(module)
    assert origin and origin.origin, module
    return Path(origin.origin)


def undocumented(source: bytes) -> ast.Module:
    """A module without its docstrings, but for a dot on each class: a dataclass without one would make one up, which
    takes longer than all the rest."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and type(first.value.value) is str:
                first.value.value = "." if isinstance(node, ast.ClassDef) else ""
    return tree


def bare(code: CodeType) -> CodeType:
    """The same code with a table of lines that says "nowhere" all along, and so compresses to nothing: a fifth less."""
    constants = tuple(bare(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    units = len(code.co_code) // 2
    # One byte for up to eight instructions: the kind of entry without a place, and how many it is for, less one.
    table = [0xF8 | min(8, units - start) - 1 for start in range(0, units, 8)]
    return code.replace(co_linetable=bytes(table), co_consts=constants)


def pyc(source: bytes | ast.Module, name: str, optimize: int, lines: bool = True) -> bytes:
    """Compiled code with the header of one that is never checked against its source."""
    code = compile(source, name, "exec", optimize=optimize, dont_inherit=True)
    code = code if lines else bare(code)
    return importlib.util.MAGIC_NUMBER + b"\x01\0\0\0" + bytes(8) + marshal.dumps(code)


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def frozen(name: str) -> bool:
    """Whether the interpreter has this module built in."""
    spec = sys.modules[name].__spec__
    return spec is not None and spec.origin == "frozen"


def compile_library(used: frozenset[str]) -> list[str]:
    """The modules of the standard library that are in use, and Pyodide's own; their names."""
    kept = []
    with zipfile.ZipFile(LIBRARY) as library:
        for entry in library.namelist():
            name = entry.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            if entry.endswith(".py") and name in used and not frozen(name):
                optimize = 1 if name.split(".")[0] in KEEP_DOCSTRINGS else 2
                write(OUT / "lib" / (entry + "c"), pyc(library.read(entry), entry, optimize, lines=False))
                kept.append(name)
    return kept


def compile_app(used: frozenset[str]) -> list[str]:
    """The modules of the app and its libraries that are in use, compiled; the templates; the words as they are. The
    files of the app that were used."""
    inputs = []
    for path in sorted(path for path in APP.rglob("*") if path.is_file()):
        target, name = path.relative_to(APP), ".".join(path.relative_to(APP).with_suffix("").parts)
        if path.suffix == ".mo":
            write(OUT / "app" / target, path.read_bytes())
            inputs.append(str(target.with_suffix(".po")))
        elif path.suffix == ".py" and name.removesuffix(".__init__") in used:
            write(OUT / "app" / target.with_suffix(".pyc"), pyc(undocumented(path.read_bytes()), str(target), 1, False))
            inputs += [str(target)] if target.parts[0] == DOOR.split(".")[0] else []
    return inputs + [f"templates/{name}" for name in compile_templates()]


def compile_templates() -> set[str]:
    """The templates as modules, in the folder where scorekeeper.pages.page looks first."""
    from scorekeeper.pages import page

    folder = OUT / "app" / page.COMPILED.relative_to(APP)
    environment, made = page.environment(SOURCE), OUT / "templates"
    drawn = [name for name in environment.list_templates() if name.startswith(FOLDERS) or name in SINGLE]
    used = templates(environment, drawn)
    environment.compile_templates(str(made), filter_func=used.__contains__, zip=None, ignore_errors=False)
    for path in sorted(made.glob("*.py")):
        write(folder / path.with_suffix(".pyc").name, pyc(path.read_bytes(), path.name, 1))
    shutil.rmtree(made)
    return used


def templates(environment: Any, names: list[str]) -> set[str]:
    """These templates and all that they extend, import or include."""
    from jinja2 import meta, nodes

    found: set[str] = set()
    while names:
        name = names.pop()
        if name in found:
            continue
        found.add(name)
        source, _, _ = environment.loader.get_source(environment, name)
        tree = environment.parse(source)
        for extends in tree.find_all(nodes.Extends):
            if isinstance(extends.template, nodes.Filter) and extends.template.name == "default":
                extends.template = extends.template.args[0]  # another frame is only the server's
        for other in meta.find_referenced_templates(tree):
            if other is None:
                raise ValueError(f"{name} names a template by a variable: nobody knows what to take along")
            names.append(other)
    return found


def main() -> None:
    load_everything()
    used = frozenset(sys.modules)
    facts = {"python": sys.version.split()[0], "modules": compile_library(used), "inputs": compile_app(used)}
    (OUT / "python.json").write_text(json.dumps(facts))


main()
