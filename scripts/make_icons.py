"""Draw the app's icons and the marble's veins into static/icons.

`python scripts/make_icons.py` writes `icon.svg` and `marble.svg`, then the PNG sizes with a headless Chromium
(`CHROMIUM=path` names another one). The results are committed: run this only to change them.
"""

from __future__ import annotations

import itertools
import os
import random
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

ICONS = Path(__file__).resolve().parent.parent / "static" / "icons"
CHROMIUM = os.environ.get("CHROMIUM", "chromium")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
         "--disable-sync", "--disable-background-networking", "--disable-component-update", "--disable-quic",
         "--default-background-color=00000000", "--force-device-scale-factor=1")
SIZES = {"icon-192.png": (192, "round"), "icon-512.png": (512, "round"),
         "maskable-512.png": (512, "full"), "apple-touch-icon.png": (180, "full")}
PIPS = {2: [(10.5, 10.5), (29.5, 29.5)],
        5: [(10.5, 10.5), (29.5, 10.5), (20, 20), (10.5, 29.5), (29.5, 29.5)],
        6: [(10.5, 9.8), (29.5, 9.8), (10.5, 20), (29.5, 20), (10.5, 30.2), (29.5, 30.2)]}


def tile(low: int, high: int, place: str) -> str:
    """One upright tile of 40 × 80 units at the given transform."""
    pips = "".join(f"M{x} {y}h0" for x, y in PIPS[low]) + "".join(f"M{x} {y + 39:g}h0" for x, y in PIPS[high])
    return (f'<g transform="{place}">'
            '<rect x="-1" y="3" width="42" height="81" rx="8" fill="#04120d" fill-opacity=".35"/>'
            '<rect x=".5" y="1" width="39" height="79" rx="6.5" fill="#b9ab8c"/>'
            '<rect x="1" y="1" width="38" height="76" rx="6" fill="#fbf6e8"/>'
            '<path d="M7 39.2h26" stroke="#b6a888" stroke-width="1.4"/>'
            '<circle cx="20" cy="39.5" r="2.6" fill="#b58e3f"/>'
            f'<path d="{pips}" stroke="#26221d" stroke-width="8" stroke-linecap="round"/></g>')


def icon(shape: str) -> str:
    """The icon: two tiles on green felt, in flat colours so that the PNGs stay small.

    `shape` is `round` (own corners) or `full` (the system cuts them, so everything stays in the middle).
    """
    corner, scale = (26, 1.0) if shape == "round" else (0, 0.84)
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">'
            f'<clipPath id="c"><rect width="120" height="120" rx="{corner}"/></clipPath>'
            '<g clip-path="url(#c)">'
            '<path fill="#084d39" d="M0 0h120v120H0z"/><circle cx="46" cy="22" r="92" fill="#0a5c44"/>'
            '<circle cx="44" cy="14" r="62" fill="#0d6c50"/></g>'
            f'<g transform="translate(60 60) scale({scale}) translate(-60 -60)">'
            f'{tile(2, 5, "translate(38 60) rotate(-11) translate(-20 -40)")}'
            f'{tile(6, 6, "translate(80 61) rotate(9) translate(-20 -40)")}</g></svg>\n')


def vein(rng: random.Random, start: tuple[float, float], end: tuple[float, float], rough: float) -> str:
    """A crooked line between two points, by midpoint displacement, as a path with whole numbers."""
    points = [start, end]
    for _ in range(5):
        bent = [points[0]]
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            dx, dy = x1 - x0, y1 - y0
            off = rng.gauss(0, rough)
            bent += [((x0 + x1) / 2 - dy * off, (y0 + y1) / 2 + dx * off), (x1, y1)]
        points = bent
    half = [(round(x0 + x1), round(y0 + y1)) for (x0, y0), (x1, y1) in itertools.pairwise(points)]
    # doubled units; `t` mirrors the last control point onto the next corner, as the stops are midpoints
    (hx, hy), (nx, ny), (cx, cy) = half[0], half[1], points[1]
    rest = "".join(f"t{b[0] - a[0]} {b[1] - a[1]}" for a, b in itertools.pairwise(half[1:]))
    return f"M{hx} {hy}Q{round(2 * cx)} {round(2 * cy)} {nx} {ny}{rest}".replace(" -", "-")


def marble(seed: int = 11) -> str:
    """Veins on nothing, used as a mask: a few broad clouds, a few long veins, fine branches."""
    rng = random.Random(seed)
    long = [vein(rng, (x, -20), (x + 330 + rng.uniform(-80, 80), 920), 0.13) for x in (-230, 60, 250, 560)]
    fine = [vein(rng, (x, y), (x + rng.uniform(90, 260), y + rng.uniform(120, 320)), 0.16)
            for x, y in ((rng.uniform(-40, 780), rng.uniform(-60, 820)) for _ in range(9))]
    back = [vein(rng, (x, 920), (x + 420, y), 0.14) for x, y in ((-120, 330), (330, 240))]
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1800" '
            'preserveAspectRatio="xMidYMin slice" fill="none" '
            'stroke="#000" stroke-linejoin="round">'
            '<filter id="b" x="-20%" y="-20%" width="140%" height="140%">'
            '<feGaussianBlur stdDeviation="18"/></filter>'
            f'<path filter="url(#b)" stroke-width="56" stroke-opacity=".3" d="{long[0]}{long[2]}"/>'
            f'<path filter="url(#b)" stroke-width="20" stroke-opacity=".45" d="{"".join(long)}{back[0]}"/>'
            f'<path stroke-width="3" stroke-opacity=".6" d="{"".join(long)}"/>'
            f'<path stroke-width="1.6" stroke-opacity=".45" d="{"".join(back)}{"".join(fine)}"/></svg>\n')


def shoot(svg: str, size: int, target: Path) -> None:
    """Render an SVG into a square PNG. Raises CalledProcessError when Chromium fails."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "icon.html"
        style = f"<style>*{{margin:0}}svg{{display:block;width:{size}px}}</style>"
        page.write_text(f"<!doctype html>{style}{svg}", encoding="utf-8")
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}/profile", f"--window-size={size},{size}",
                   f"--screenshot={target}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


def pixels(data: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and RGBA rows of an 8-bit truecolour PNG. Raises ValueError for any other kind."""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    if depth != 8 or kind not in (2, 6):
        raise ValueError("expected 8-bit RGB or RGBA")
    size, at, packed = (3 if kind == 2 else 4), 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
        at += length + 12
    raw, rows, above = zlib.decompress(packed), [], bytearray(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        row = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + width * size]), above, size)
        above = row
        opaque = b"".join(bytes(row[i:i + 3]) + b"\xff" for i in range(0, len(row), 3))
        rows.append(bytes(row) if size == 4 else opaque)
    return width, height, rows


def unfilter(kind: int, row: bytearray, above: bytearray, size: int) -> bytearray:
    """Undo one PNG row filter."""
    for i in range(len(row)):
        left, up = (row[i - size] if i >= size else 0), above[i]
        corner = above[i - size] if i >= size else 0
        if kind == 4:
            guess = left + up - corner
            add = min((left, up, corner), key=lambda v: abs(guess - v))
        else:
            add = (0, left, up, (left + up) // 2)[kind]
        row[i] = (row[i] + add) & 255
    return row


def shrink(data: bytes) -> bytes:
    """The same picture with a palette: far smaller, since the drawing has few colours."""
    width, height, rows = pixels(data)
    step = 1
    while True:
        palette: dict[bytes, int] = {}
        body = bytearray()
        for row in rows:
            body.append(0)
            coarse = bytes(min(255, round(v / step) * step) for v in row) if step > 1 else row
            for i in range(0, len(coarse), 4):
                body.append(palette.setdefault(coarse[i:i + 4], len(palette)) & 255)
        if len(palette) <= 256:
            break
        step *= 2

    def chunk(name: bytes, content: bytes) -> bytes:
        check = zlib.crc32(name + content)
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)

    colours = list(palette)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
            + chunk(b"PLTE", b"".join(c[:3] for c in colours)) + chunk(b"tRNS", bytes(c[3] for c in colours))
            + chunk(b"IDAT", zlib.compress(bytes(body), 9)) + chunk(b"IEND", b""))


def main() -> None:
    """Write every picture."""
    (ICONS / "icon.svg").write_text(icon("round"), encoding="utf-8")
    (ICONS / "marble.svg").write_text(marble(), encoding="utf-8")
    for name, (size, shape) in SIZES.items():
        shoot(icon(shape), size, ICONS / name)
        (ICONS / name).write_bytes(shrink((ICONS / name).read_bytes()))
        print(name, (ICONS / name).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
