"""House rules: what a table may change, with the default, the choices and the words to explain them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import Invalid, shown


def N_(message: str) -> str:
    """Marks a message for translation, which happens where it is shown; the name is gettext's own."""
    return message


@dataclass(frozen=True)
class Option:
    """One house rule. `choices` maps each allowed value to its label; without it, any number `low`…`high`.

    `rule` is the rulebook's number; `label` and `hint` are message ids. `nullable` allows None ("no limit").
    `ends_match`: it says when the match is over, so that a change makes a match of another length.
    """

    name: str
    default: Any
    rule: str
    label: str
    hint: str
    choices: Mapping[Any, str] = field(default_factory=dict)
    low: int = 0
    high: int = 0
    nullable: bool = False
    ends_match: bool = False

    def read(self, raw: Any) -> Any:
        """The value itself if it is allowed. Raises `Invalid("bad_option")`."""
        if raw is None and self.nullable:
            return None
        if self.choices:
            for value in self.choices:
                if raw == value and type(raw) is type(value):
                    return value
        elif type(raw) is int and self.low <= raw <= self.high:
            return raw
        raise Invalid("bad_option", f"{shown(raw)} is not one of {self.allowed()}", option=self.name)

    def allowed(self) -> str:
        """The allowed values, for an error's message."""
        return ", ".join(repr(value) for value in self.choices) or f"{self.low}…{self.high}"

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a value."""
        if self.choices:
            return {"enum": list(self.choices), "default": self.default, "description": self.rule}
        kind: Any = ["integer", "null"] if self.nullable else "integer"
        bounds = {"minimum": self.low, "maximum": self.high}
        return {"type": kind, **bounds, "default": self.default, "description": self.rule}


def switch(name: str, rule: str, label: str, hint: str, default: bool = False) -> Option:
    """An option that is on or off."""
    return Option(name, default, rule, label, hint, choices={False: N_("Off"), True: N_("On")})


def read_rules(options: Iterable[Option], raw: Any) -> dict[str, Any]:
    """Every option's value, the default where `raw` does not say. Raises `Invalid` with the place."""
    if type(raw) is not dict:
        raise Invalid("wrong_type", "must be an object of house rules", "rules")
    known = {option.name: option for option in options}
    rules = {name: option.default for name, option in known.items()}
    for name, value in raw.items():
        if name not in known:
            raise Invalid("unknown_option", f"no house rule {shown(name)} in this variant", "rules",
                          option=name[:40])
        try:
            rules[name] = known[name].read(value)
        except Invalid as error:
            raise error.within(f"rules.{name}") from None
    return rules


def write_rules(options: Iterable[Option], rules: Mapping[str, Any]) -> dict[str, Any]:
    """Only what differs from the default, as the match document has it."""
    return {option.name: rules[option.name] for option in options if rules[option.name] != option.default}
