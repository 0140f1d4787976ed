"""What stands against what on a phone that comes back: the functions of static/js/line.js, which are pure."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

# A match as a phone has it, and what happens to it, a step at a time. A step is one of
#   ["round", key], ["act", key, path]   done here; Python has read all that it can
#   ["theirs", key...]                   another phone wrote rounds, of which the server told
#   ["fix", key]                         another phone changed round 2
#   ["next" | "drop" | "mine", key]      the answer to the question: mine is the next · drop mine · mine is right;
#   ["late", key]                        mine is the next, from a question that was shown before the last "theirs"
#   ["from", key, version, known]        a round from a page of this version, which knew so many of the server's events
#   ["up"]                               the first of the line is on the server
#   ["restored"]                         the server knows no rounds any more
# Told is the line after each step: what is read, what "?" asks, what (waits), what "!" does not fit; and at last the keys of all events, with the
# number of the round that a correction is about.
PLAY = """async (steps) => {
  const own = document.querySelector("script[src*='js/save']").src;
  const line = await import(own.replace(/save.js.*/, "line.js"));
  const round = (key, n) => ({ type: "round_entered", key, version: n });
  let record = { id: "m", here: { writes: true }, events: [{ type: "created", version: 1 }, round("r", 2)], line: [] };
  let asked = record;
  const append = (path, key, record, place) => {
    const n = path.match(/round\\/(\\d+)/)?.[1];
    return [n ? { type: "round_corrected", id: Number(n), key } : /round$/.test(path) ? { type: "round_entered", key } : { type: "undone", key }];
  };
  const readAll = () => {
    for (let place; (place = line.next(record)) >= 0; ) {
      const item = record.line[place];
      const now = line.whole(record, place).length;
      const fits = Number(line.basis(record, place)) === now;
      const back = /do$/.test(item.path);
      const answer = fits ? { append: append(item.path, item.key), expected: now } : back ? { messages: [{ text: "overtaken" }] } : { status: 409 };
      record = line.read(record, item.key, place, answer);
    }
  };
  const form = (version) => ({ version: String(version) });
  const learned = (events) => (record = line.learned(record, { id: "m", since: record.events.length, events, here: { writes: true } }, false));
  const act = {
    round: (key) => (record = line.entered(record, { key, path: "/m/m/round", form: form(shown) })),
    act: (key, path) => (record = line.entered(record, { key, path: `/m/m/${path}`, form: form(shown) })),
    theirs: (...keys) => learned(keys.map((key, n) => round(key, record.events.length + 1 + n))),
    fix: (key) => learned([{ type: "round_corrected", id: 2, key, version: record.events.length + 1 }]),
    next: (key) => (record = line.replied(record, { key, path: record.line[0].path, form: form(record.events.length) })),
    late: (key) => (record = line.replied(record, { key, path: record.line[0].path, form: form(asked.events.length) })),
    mine: (key, n) => (record = line.replied(record, { key, path: `/m/m/round/${n}`, form: form(record.events.length) })),
    from: (key, version, known) => (record = line.entered(record, { key, path: "/m/m/round", form: form(version) }, known)),
    drop: () => (record = line.dropped(record, record.line[0].key)),
    restored: () => (record = line.learned(record, { id: "m", since: 0, events: record.events.slice(0, 1), here: { writes: true } }, true)),
    up: () => (record = line.confirmed(record, record.line[0], record.events.length + record.line[0].events.length)),
    old: (key, path) => (record = { ...record, line: [...record.line, { key, path: `/m/m/${path}`, form: form(shown), said: true, events: append(path, key), at: "" }] }),
  };
  const seen = [];
  let shown = 2; // the version of the page that is looked at
  for (const [name, ...given] of steps) {
    const before = record;
    act[name](...given);
    if (name === "theirs") asked = before.line[0]?.asks ? before : record;
    readAll();
    if (!record.line[0]?.asks && !["theirs", "fix"].includes(name)) shown = line.whole(record).length;
    const said = record.line.map((item) => (item.asks ? `${item.key}?` : item.events ? item.key : `(${item.key})`));
    seen.push([...said, ...line.stuck(record).map(({ key, why }) => (why === "lost" && key.length > 2 ? "lost!" : `${key}!`))].join(" "));
  }
  return [seen, line.whole(record).slice(1).map(({ key, id }) => (id ? `${key}@${id}` : key)).join(" ")];
}"""

A_AND_B: list[Any] = [["round", "a"], ["round", "b"]]


@pytest.mark.parametrize(
    ("steps", "lines", "events"),
    [
        pytest.param([*A_AND_B, ["up"], ["up"]], ["a", "a b", "b", ""], "r a b", id="nobody else"),
        pytest.param(
            [*A_AND_B, ["theirs", "x"], ["next", "A"], ["up"], ["up"]],
            ["a", "a b", "a? (b)", "A b", "b", ""], "r x A b", id="mine are the next ones",
        ),
        pytest.param(
            [*A_AND_B, ["theirs", "x"], ["drop"], ["up"]], ["a", "a b", "a? (b)", "b", ""], "r x b", id="one is the same",
        ),
        pytest.param(
            [*A_AND_B, ["theirs", "x", "y"], ["drop"], ["drop"]],
            ["a", "a b", "a? (b)", "b?", ""], "r x y", id="both are the same",
        ),
        pytest.param(
            [*A_AND_B, ["theirs", "x", "y"], ["mine", "A", 3], ["up"], ["drop"]],
            ["a", "a b", "a? (b)", "A (b)", "b?", ""], "r x y A@3", id="mine is right and the next is the same",
        ),
        pytest.param(
            [*A_AND_B, ["round", "c"], ["theirs", "x", "y"], ["mine", "A", 3], ["up"], ["drop"], ["up"]],
            ["a", "a b", "a b c", "a? (b) (c)", "A (b) (c)", "b? (c)", "c", ""], "r x y A@3 c", id="one's own is not theirs",
        ),
        pytest.param(
            [*A_AND_B, ["theirs", "x"], ["theirs", "y"], ["late", "A"], ["next", "AA"]],
            ["a", "a b", "a? (b)", "a? (b)", "A? (b)", "AA b"], "r x y AA b", id="asked before another wrote more",
        ),
        pytest.param(
            [*A_AND_B, ["theirs", "x"], ["theirs", "y", "z"], ["late", "A"], ["drop"], ["drop"]],
            ["a", "a b", "a? (b)", "a? (b)", "A? (b)", "b?", ""], "r x y z", id="asked before, and then both are the same",
        ),
        pytest.param(
            [["act", "u", "undo"], ["round", "b"], ["theirs", "x"], ["drop"]],
            ["u", "u b", "b?", ""], "r x", id="what took it back is left out and the next is asked about",
        ),
        pytest.param(
            [["act", "u", "undo"], ["act", "v", "redo"], ["fix", "f"]], ["u", "u v", ""], "r f@2", id="undo and redo",
        ),
        pytest.param(
            [["act", "f", "round/2"], ["round", "b"], ["theirs", "x"], ["drop"], ["drop"]],
            ["f", "f b", "f? (b)", "b?", ""], "r x", id="a correction is dropped and the next is asked about",
        ),
        pytest.param(
            [["act", "f", "round/2"], ["theirs", "x"], ["round", "b"], ["mine", "F", 2], ["up"], ["drop"]],
            ["f", "f?", "f? (b)", "F (b)", "b?", ""], "r x F@2", id="entered on a page from before",
        ),
        pytest.param(
            [["act", "f", "round/2"], ["round", "b"], ["fix", "x"], ["mine", "F", 2], ["up"], ["up"]],
            ["f", "f b", "f? (b)", "F b", "b", ""], "r x@2 F@2 b", id="both corrected",
        ),
        pytest.param(
            [*A_AND_B, ["act", "c", "round/3"], ["act", "d", "round/4"], ["theirs", "x"], ["next", "A"]],
            ["a", "a b", "a b c", "a b c d", "a? (b) (c) (d)", "A b c d"], "r x A b c@4 d@5", id="corrected and then renumbered",
        ),
        pytest.param(
            [["round", "a"], ["act", "u", "undo"], ["round", "b"], ["theirs", "x"], ["drop"], ["drop"]],
            ["a", "a u", "a u b", "a? (u) (b)", "b?", ""], "r x", id="what was taken back is none of theirs",
        ),
        pytest.param(
            [["act", "f", "round/2"], ["act", "n", "more"], ["act", "u", "undo"], ["fix", "x"], ["drop"]],
            ["f", "f n", "f n u", "f? (n) (u)", "n u"], "r x@2 n u", id="an undo of something else stays",
        ),
        pytest.param(
            [["act", "f", "round/2"], ["round", "a"], ["act", "u", "undo"], ["act", "v", "undo"], ["fix", "x"], ["drop"]],
            ["f", "f a", "f a u", "f a u v", "f? (a) (u) (v)", "a u"], "r x@2 a u", id="an undo goes with what it undid",
        ),
        pytest.param(
            [["act", "u", "undo"], ["fix", "x"], ["from", "b", 3, 2], ["drop"]],
            ["u", "", "b?", ""], "r x@2", id="as long as theirs by chance",
        ),
        pytest.param(
            [["round", "a"], ["up"], ["from", "b", 3, 2]], ["a", "", "b"], "r a b", id="a page from before its own went up",
        ),
        pytest.param(
            [["round", "a"], ["from", "b", 2, 2], ["up"], ["act", "c", "undo"]], ["a", "a b!", "b!", "c b!"], "r a c", id="an older tab",
        ),
        pytest.param(
            [["round", "a"], ["act", "u", "undo"], ["act", "u2", "undo"], ["round", "b"], ["restored"]],
            ["a", "a u", "a u u2", "a u u2 b", "a u b lost! u2!"], "a u b", id="undone and lost",
        ),
        pytest.param(
            [["old", "a", "round"], ["theirs", "x"], ["drop"]], ["a", "a?", ""], "r x", id="written by an older version",
        ),
        pytest.param(
            [["old", "a", "round"], ["old", "b", "round"], ["theirs", "x"], ["next", "A"], ["up"], ["drop"]],
            ["a", "a b", "a? (b)", "A (b)", "b?", ""], "r x A", id="two written by an older version",
        ),
    ],
)
def test_the_line(steps: list[Any], lines: list[str], events: str, page: Page) -> None:
    """What waits, what is asked about, and what all of it comes to."""
    page.goto("/rules")
    seen, all_ = page.evaluate(PLAY, steps)
    assert (seen, all_) == (lines, events)
