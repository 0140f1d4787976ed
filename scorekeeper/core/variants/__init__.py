"""The variants, in the order in which they are offered. A new one: a module here and a line in `VARIANTS`."""

from __future__ import annotations

from typing import Any

from ..errors import Invalid
from .base import Variant
from .block import Block
from .domeng import Domeng
from .gaple import Gaple
from .pontas import Pontas

VARIANTS: dict[str, Variant] = {variant.key: variant for variant in (Block(), Gaple(), Pontas(), Domeng())}


def find(key: Any) -> Variant:
    """The variant with this key. Raises `Invalid("unknown_variant")`."""
    if type(key) is not str or key not in VARIANTS:
        raise Invalid("unknown_variant", f"the variant must be one of {', '.join(VARIANTS)}", "variant")
    return VARIANTS[key]
