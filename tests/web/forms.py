"""Reads the forms of a page as a browser would send them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

IN_FORM = ("input", "select", "textarea", "button")


@dataclass
class Form:
    """Where a form leads, its fields as the page holds them, and each of its buttons' (name, value)."""

    action: str
    id: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.now: Form | None = None
        self.strays: list[tuple[str, dict[str, str]]] = []
        self.select: tuple[str, Form] | None = None
        self.text: tuple[str, Form] | None = None

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.now = Form(given.get("action") or self.address, given.get("id", ""))
            self.forms.append(self.now)
        elif tag == "option" and self.select:
            name, form = self.select
            if "selected" in given or name not in form.fields:
                form.fields[name] = given.get("value", "")
        elif tag in IN_FORM and given.get("name", "") != "" and "disabled" not in given:
            if "form" in given:
                self.strays.append((tag, given))
            elif self.now:
                self._field(tag, given, self.now)

    def _field(self, tag, given, form):
        kind, name = given.get("type", "submit" if tag == "button" else "text"), given["name"]
        if tag == "button":
            form.buttons += [(name, given.get("value", ""))] if kind == "submit" else []
        elif tag == "select":
            self.select = (name, form)
        elif tag == "textarea":
            form.fields[name], self.text = "", (name, form)
        elif kind not in ("radio", "checkbox") or "checked" in given:
            form.fields[name] = given.get("value", "on" if kind == "checkbox" else "")
        else:
            form.fields.setdefault(name, "")

    def handle_data(self, data):
        if self.text:
            name, form = self.text
            form.fields[name] += data

    def handle_endtag(self, tag):
        self.now = None if tag == "form" else self.now
        self.select = None if tag == "select" else self.select
        self.text = None if tag == "textarea" else self.text


def forms_of(html: str, address: str) -> list[Form]:
    """The forms that post, in the order of the page at `address`."""
    reader = _Reader(address)
    reader.feed(html)
    by_id = {form.id: form for form in reader.forms if form.id}
    for tag, given in reader.strays:
        if given["form"] in by_id:
            reader._field(tag, given, by_id[given["form"]])
    return reader.forms
