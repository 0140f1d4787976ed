"""Finds what breaks the rules of the house. Every function returns findings: `line 3: what is wrong`.

Python is read as a syntax tree, the rest line by line; nothing is imported or run.
"""

import ast
import re
import sys
from collections.abc import Iterator

STANDARD = frozenset(sys.stdlib_module_names)
# The core gives the same answer on every machine at every time: no clock, no machine, no dice of its own.
NOT_IN_CORE = frozenset(
    {"time", "datetime", "os", "socket", "secrets", "uuid", "subprocess", "sqlite3", "urllib", "http"}
)
WEB = ("flask", "flask_wtf", "scorekeeper.web")
DATABASE = ("sqlalchemy", "alembic", "sqlite3", "scorekeeper.store")
# A room of the house, and what it must never import.
FORBIDDEN = {
    "scorekeeper.pages": WEB + DATABASE,
    "scorekeeper.device": WEB + DATABASE,
    "scorekeeper.store": (*WEB, "scorekeeper.pages", "scorekeeper.device"),
}
# These run on bare Python: the standard library, the core, and each other.
BARE = ("scorekeeper.core", "scorekeeper.__main__", "scorekeeper.cli")
VARIANTS_HOME = "scorekeeper.core.variants"
VARIANTS = ("block", "gaple", "pontas", "domeng")


def within(module: str, parents: tuple[str, ...] | str) -> bool:
    """Is `module` one of `parents`, or inside one?"""
    parents = (parents,) if isinstance(parents, str) else parents
    return any(module == parent or module.startswith(parent + ".") for parent in parents)


def imports(tree: ast.AST, module: str, is_package: bool = False) -> Iterator[tuple[int, str]]:
    """Line and full name of everything imported anywhere in `tree`, which is the module `module`.

    `from a import b` gives `a.b`: b may be a module. Relative imports are resolved.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                package = parts[: len(parts) - node.level + is_package]
                base = ".".join([*package, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def import_findings(source: str, module: str, is_package: bool = False) -> list[str]:
    """Imports against the one direction: web -> pages -> core, web -> store -> core."""
    found = []
    for line, name in imports(ast.parse(source), module, is_package):
        top = name.split(".")[0]
        if within(module, BARE):
            own = BARE[:1] if within(module, BARE[0]) else BARE
            if top not in STANDARD and not within(name, own):
                found.append(f"line {line}: {module} imports {name}")
        if within(module, "scorekeeper.core") and top in NOT_IN_CORE:
            found.append(f"line {line}: the core imports {name}")
        for room, never in FORBIDDEN.items():
            if within(module, room) and within(name, never):
                found.append(f"line {line}: {module} imports {name}")
    return found


def _name(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def dice_findings(source: str) -> list[str]:
    """Uses of `random` other than `random.Random`: the module's own functions share a hidden seed."""
    tree = ast.parse(source)
    aliases = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "random"
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "random" and not node.level:
            names = [alias.name for alias in node.names if alias.name != "Random"]
            found += [f"line {node.lineno}: random.{name}" for name in names]
        elif isinstance(node, ast.Attribute) and node.attr != "Random" and _name(node.value) in aliases:
            found.append(f"line {node.lineno}: random.{node.attr}")
    return found


def _texts(node: ast.AST) -> set[str]:
    """The string constants that a comparison is made with: itself, or those in a literal collection."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def _speaks_of_variant(node: ast.AST) -> bool:
    names = (getattr(part, "id", None) or getattr(part, "attr", None) for part in ast.walk(node))
    keys = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
    return any("variant" in name.lower() for name in names if name) or "variant" in keys


def variant_findings(source: str) -> list[str]:
    """Comparisons that single out a variant: only its own module may know what it is."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            texts = set().union(*map(_texts, sides))
            about = any(_speaks_of_variant(side) for side in sides if not _texts(side))
            if texts & set(VARIANTS) or (texts - {"variant", ""} and about):
                found.append(f"line {node.lineno}: {ast.unparse(node)}")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").rpartition("variants.")[2] in VARIANTS:
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
        elif isinstance(node, ast.MatchValue) and _texts(node.value) & set(VARIANTS):
            found.append(f"line {node.value.lineno}: case {ast.unparse(node.value)}")
    return found


_QUOTED_VARIANT = rf"""["'](?:{"|".join(VARIANTS)})["']"""
_VARIANT_IN_TEXT = re.compile(
    rf"""(?:[!=]==?|\b(?:in|is|eq|case)\b)\s*[\[(]?\s*{_QUOTED_VARIANT}
      | {_QUOTED_VARIANT}\s*(?:[!=]==?|\bin\b)
      | \bvariant(?:[._]\w+)*\s*(?:[!=]==?\s*["']\w|\b(?:not\s+)?in\s*[\[(]\s*["'])""",
    re.VERBOSE,
)


def _found(hit: re.Match[str]) -> str:
    line = hit.string.count("\n", 0, hit.start()) + 1
    return f"line {line}: {hit[0].strip()}"


def _matches(pattern: re.Pattern[str], text: str) -> list[str]:
    return [_found(hit) for hit in pattern.finditer(text)]


def variant_text_findings(text: str) -> list[str]:
    """The same for templates and scripts."""
    return _matches(_VARIANT_IN_TEXT, text)


def _blank(pattern: str, text: str) -> str:
    """`text` with what matches `pattern` emptied, line breaks kept, so that line numbers stay right."""
    return re.sub(pattern, lambda hit: "\n" * hit[0].count("\n"), text, flags=re.DOTALL)


_INLINE = re.compile(
    r"""(?<![\w.-])(?:style|on[a-z]{3,})\s*=\s*(?=["'{])   # attributes
      | ["'](?:style|on[a-z]{3,})["']\s*:                   # ... through xmlattr
      | <style\b | javascript:
      | <script\b(?![^>]*\bsrc\s*=)""",
    re.VERBOSE | re.IGNORECASE,
)


def inline_findings(template: str) -> list[str]:
    """Inline script and style, which the Content-Security-Policy forbids."""
    markup = _blank(r"\{#.*?#\}|<!--.*?-->", template)
    # A call's own arguments (macro(once="...")) are no attributes; strings with markup in them are.
    markup = re.sub(r"([(,]\s*)\w+\s*=(?=[^<>{}]*[%}]\})", r"\1", markup)
    return _matches(_INLINE, markup)


_SIDE = r"(?:left|right)"
_PHYSICAL_NAME = rf"""(?:(?:scroll-)?(?:margin|padding)|border)-{_SIDE}(?:-(?:width|style|color))?\s*:
      | border-(?:top|bottom)-{_SIDE}-radius\s*:
      | (?:text-align|float|clear)\s*:\s*{_SIDE}\b"""
_PHYSICAL_CSS = re.compile(rf"{_PHYSICAL_NAME} | (?<![\w.#-]){_SIDE}\s*:", re.VERBOSE)
_PHYSICAL_TEMPLATE = re.compile(rf"{_PHYSICAL_NAME} | \salign\s*=\s*[\"']?{_SIDE}", re.VERBOSE)
_FOUR_SIDES = re.compile(r"(?<![\w-])(margin|padding|inset|border-width|scroll-padding)\s*:\s*([^;{}]+)")
_VALUE = re.compile(r"(?:[^\s()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+")


def physical_css_findings(css: str) -> list[str]:
    """Properties that name left or right, and shorthands that give the two different values."""
    css = _blank(r"/\*.*?\*/", css)
    found = _matches(_PHYSICAL_CSS, css)
    for hit in _FOUR_SIDES.finditer(css):
        # The notch of a phone is a matter of the glass, not of the writing: it may sit on either side.
        value = re.sub(rf"safe-area-inset-{_SIDE}", "safe-area-inset-side", hit[2])
        values = _VALUE.findall(value.replace("!important", ""))
        if len(values) == 4 and values[1] != values[3]:
            found.append(_found(hit))
    return found


def physical_template_findings(template: str) -> list[str]:
    """The same in templates."""
    return _matches(_PHYSICAL_TEMPLATE, _blank(r"\{#.*?#\}", template))


_PLACES = re.compile(
    r"""(?<![\w.~/-])/(?:root|work|home/\w+|Users/\w+)/\w
      | \b(?:pypi|pythonhosted|npmjs|yarnpkg|crates|rubygems)\.(?:org|com|io)\b
      | \b(?:deb|security|ftp)\.debian\.org\b
      | --(?:extra-)?(?:index-url|find-links)\b""",
    re.VERBOSE,
)


def place_findings(text: str) -> list[str]:
    """Home directories and package registries: what belongs to one machine and not to the project."""
    return _matches(_PLACES, text)
