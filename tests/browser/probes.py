"""Questions put to a page from inside, each answered by a list of what is wrong."""

# Every control that is on show, with its place; `target` is what a finger may hit for it.
CONTROLS = """
const shown = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && el.getClientRects().length > 0;
const controls = [...document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")]
  .filter((el) => shown(el) && !el.matches(".skip"));
const target = (el) => (el.matches("input[type=radio], input[type=checkbox]") && el.closest("label")) || el;
const name = (el) => `<${el.localName} ${el.id || el.className?.baseVal || el.className || el.name || ""}> ${(el.innerText || el.ariaLabel || "").replace(/\\s+/g, " ").trim().slice(0, 40)}`;
"""

# A target that looks smaller than 44 px may be larger to a finger: the middle of each side of a 44 px
# square is tried. A link inside a sentence is as high as its line, except the links to the rules.
SMALL_TARGETS = f"""() => {{ {CONTROLS}
const inSentence = (el) => el.matches("a:not(.rule)") && getComputedStyle(el).display === "inline"
  && [...el.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
const wrong = [];
for (const el of controls) {{
  const hit = target(el);
  if (inSentence(hit)) continue;
  let box = hit.getBoundingClientRect();
  if (box.width >= 44 && box.height >= 44) continue;
  hit.scrollIntoView({{ block: "center", behavior: "instant" }});
  box = hit.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2, r = 21.9;
  const tries = [[box.width < 44 ? r : 0, 0], [box.width < 44 ? -r : 0, 0], [0, r], [0, -r]];
  const missed = tries.filter(([dx, dy]) => {{
    const found = document.elementFromPoint(x + dx, y + dy);
    return !(found && (hit === found || hit.contains(found)));
  }});
  if (missed.length) wrong.push(`${{name(el)}}: ${{box.width.toFixed(1)}} x ${{box.height.toFixed(1)}}`);
}}
return wrong;
}}"""

# Text as it is drawn: inside a picture its size is scaled with the picture.
SMALL_TEXT = """() => {
const wrong = new Set();
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const el = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || el.closest(".sr, script, noscript, datalist") || !el.checkVisibility({ visibilityProperty: true })) continue;
  const scale = el.ownerSVGElement ? el.getScreenCTM().a : 1;
  const size = parseFloat(getComputedStyle(el).fontSize) * scale;
  if (size < 15.99) wrong.add(`${size.toFixed(2)}px: ${walk.currentNode.data.trim().slice(0, 40)}`);
}
for (const el of document.querySelectorAll("input:not([type=hidden]), select, textarea"))
  if (parseFloat(getComputedStyle(el).fontSize) < 16) wrong.add(`typed in ${el.name}`);
return [...wrong];
}"""

WIDER_THAN_SCREEN = """() => {
const width = document.documentElement.clientWidth;
if (document.scrollingElement.scrollWidth <= width) return [];
return [...document.querySelectorAll("body *")].filter((el) => { const box = el.getBoundingClientRect(); return box.width && (box.right > width + 1 || box.left < -1); })
  .slice(0, 4).map((el) => `${el.localName}.${el.className?.baseVal ?? el.className}`).concat(`${document.scrollingElement.scrollWidth} > ${width}`);
}"""

# Controls that lie over each other or whose words do not fit in them. The bar lies over the page on
# purpose, and a long name ends in dots.
UNUSABLE = f"""() => {{ {CONTROLS}
const wrong = [], width = document.documentElement.clientWidth;
const seen = (el) => {{ // without what is scrolled out of sight
  const box = el.getBoundingClientRect(), list = el.closest(".panel"), edge = list?.getBoundingClientRect();
  return list ? {{ left: box.left, right: box.right, top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom) }} : box;
}};
const free = controls.filter((el) => !el.closest(".bar"));
const bar = controls.filter((el) => el.closest(".bar"));
for (const group of [free, bar])
  group.forEach((a, i) => group.slice(i + 1).forEach((b) => {{
    const [one, other] = [target(a), target(b)];
    if (one === other || one.contains(other) || other.contains(one)) return;
    const [p, q] = [seen(one), seen(other)];
    if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1.5 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1.5)
      wrong.push(`${{name(a)}} lies on ${{name(b)}}`);
  }}));
for (const el of controls) {{
  const box = target(el).getBoundingClientRect();
  if (box.left < -1 || box.right > width + 1) wrong.push(`${{name(el)}} leaves the screen`);
  const own = el.getBoundingClientRect(), words = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {{
    if (words.currentNode.parentElement.closest(".sr, .who") || getComputedStyle(el).display === "inline") continue;
    const range = document.createRange();
    range.selectNodeContents(words.currentNode);
    for (const part of range.getClientRects())
      if (part.left < own.left - 1 || part.right > own.right + 1 || part.top < own.top - 4 || part.bottom > own.bottom + 4)
        wrong.push(`${{name(el)}} is too small for "${{words.currentNode.data.trim()}}": ${{part.width.toFixed()}}x${{part.height.toFixed()}} in ${{own.width.toFixed()}}x${{own.height.toFixed()}}`);
  }}
  for (const child of el.querySelectorAll("*")) {{
    const style = getComputedStyle(child);
    if (!child.closest("svg, .sr, .who") && style.overflowX !== "visible" && child.scrollWidth > child.clientWidth + 1) wrong.push(`${{name(el)}} is cut off`);
  }}
}}
return [...new Set(wrong)];
}}"""

# Kept from the first moment on; read with `page.evaluate("shifts")`.
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput)
      shifts.push(`${entry.value.toFixed(4)}: ${entry.sources.map((s) => { const el = s.node?.parentElement && s.node.nodeType === 3 ? s.node.parentElement : s.node; return `${el?.localName}.${el?.id || el?.className?.baseVal || el?.className} ${s.previousRect.y}->${s.currentRect.y} h${s.previousRect.height}->${s.currentRect.height}`; }).join("; ")}`);
}).observe({ type: "layout-shift", buffered: true });
"""

ZOOMS_ON_DOUBLE_TAP = f"""() => {{ {CONTROLS}
return controls.filter((el) => getComputedStyle(target(el)).touchAction !== "manipulation").map(name);
}}"""

MOVES = """() => {
const wrong = new Set();
const long = (text) => text.split(",").some((time) => parseFloat(time) > 0);
for (const el of document.querySelectorAll("*"))
  for (const part of [null, "::before", "::after"]) {
    const style = getComputedStyle(el, part);
    if (long(style.transitionDuration) || (style.animationName !== "none" && long(style.animationDuration)))
      wrong.add(`${el.localName}.${el.className?.baseVal ?? el.className}${part ?? ""}`);
  }
if (document.getAnimations().length) wrong.add("an animation is running");
if (getComputedStyle(document.documentElement).scrollBehavior === "smooth") wrong.add("smooth scrolling");
return [...wrong];
}"""

# Axe cannot judge text that lies on a picture or a gradient, as the table top is. Here each text is compared
# with every colour that may lie under it: the table top's three, or the box it stands in.
PALE = """() => {
const rgb = (text) => { const n = text.match(/[\\d.]+/g).map(Number), size = text.startsWith("color(srgb") ? 255 : 1; return [...n.slice(0, 3).map((v) => v * size), n[3] ?? 1]; };
const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
const light = (c) => { const [r, g, b] = c.map((v) => ((v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)); return .2126 * r + .7152 * g + .0722 * b; };
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
const root = getComputedStyle(document.documentElement), probe = document.body.appendChild(document.createElement("i"));
const token = (name) => { probe.style.color = root.getPropertyValue(name); return rgb(getComputedStyle(probe).color); };
const ground = token("--ground"), vein = [...token("--vein").slice(0, 3), Number(root.getPropertyValue("--vein-a"))];
const top = [ground, token("--lamp"), over(vein, ground)];
probe.remove();
const under = (el) => {
  const layers = [];
  for (let at = el; at && at !== document.body; at = at.parentElement) {
    const style = getComputedStyle(at), colour = rgb(style.backgroundColor), drawn = style.backgroundImage.match(/rgba?\\([^)]+\\)/g) ?? [];
    const mine = drawn.map(rgb).filter((c) => c[3] === 1);
    if (colour[3] > 0) layers.unshift([colour]);
    if (mine.length) layers.unshift(mine);
    if (colour[3] === 1 || mine.length) return layers.reduce((below, above) => below.flatMap((b) => above.map((a) => over(a, b))), [[0, 0, 0, 1]]);
  }
  return layers.reduce((below, above) => below.flatMap((b) => above.map((a) => over(a, b))), top);
};
const wrong = new Set();
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const el = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || el.closest(".sr, .skip, script, noscript, datalist, [disabled], [aria-disabled=true]") || !el.checkVisibility({ visibilityProperty: true })) continue;
  const style = getComputedStyle(el), size = parseFloat(style.fontSize);
  const enough = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  const ink = rgb(el.ownerSVGElement ? style.fill : style.color);
  for (const below of under(el)) {
    const found = ratio(over(ink, below), below);
    if (found < enough) wrong.add(`${found.toFixed(2)}: ${walk.currentNode.data.trim().slice(0, 30)} (${el.localName}.${el.className?.baseVal ?? el.className}) ${ink} on ${below.map(Math.round)}`);
  }
}
return [...wrong];
}"""

# The elements a Tab key should reach, in the page's order, kept as `stops`; `stop()` tells where the focus is
# and what is wrong with it there. (A panel that was opened may lie over the page: Escape closes it.)
TAB_STOPS = f"""() => {{ {CONTROLS}
const skip = document.querySelector(".skip"), radios = new Set();
window.stops = [skip, ...controls].filter((el) => {{
  if (el.disabled || el.tabIndex < 0) return false;
  if (el.type !== "radio") return true;
  const group = `${{el.form?.id}} ${{el.name}}`, all = [...document.getElementsByName(el.name)];
  const stop = all.find((radio) => radio.checked) ?? all[0];
  return el === stop && !radios.has(group) && radios.add(group);
}});
window.stop = () => {{
  const el = document.activeElement, place = stops.indexOf(el), wrong = [];
  if (place < 0) return {{ place, wrong: [`the focus is on ${{name(el)}}`] }};
  const drawn = [el, el.nextElementSibling, el.closest(".vcard"), el.closest("label")].filter(Boolean).map((each) => getComputedStyle(each));
  if (!drawn.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)) wrong.push(`${{name(el)}} shows no focus`);
  const box = target(el).getBoundingClientRect(), y = box.y + box.height / 2;
  const found = document.elementFromPoint(box.x + Math.min(box.width / 2, 20), y);
  if (el !== skip && !found?.closest(".pop[open]") && !(found && (target(el).contains(found) || found.contains(el)))) wrong.push(`${{name(el)}} is hidden by ${{found ? name(found) : "the edge"}}`);
  return {{ place, wrong }};
}};
return {{ count: stops.length, odd: [...document.querySelectorAll("[tabindex]")].filter((el) => el.tabIndex > 0).map(name) }};
}}"""
