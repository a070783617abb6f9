"""Opens pages in headless Chromium on a phone and a desktop screen, in light and dark themes, and prints them.

    browser_pages.py BROWSER PICTURES PAGE ...

A page must load no other resource, log nothing on the console and never scroll sideways. Every text must have a
readable size and contrast, and every mark enough contrast. Labels must not overlap, and the keyboard focus must be
visible.

The printed page must be the same for a light and a dark screen and without background graphics. It must show its marks
and numbers, and use as few sheets as possible: a client's page without logged hours must fit on one sheet. Screenshots
are saved in the folder PICTURES for review.
"""

import os
import pathlib
import sys

import pypdfium2
from contrast import CONTRAST
from playwright.sync_api import sync_playwright

SIZES = {"phone": (390, 844), "desk": (1280, 900)}
SCHEMES = ("light", "dark")
SMALLEST = 11
PAPER = {"format": "A4", "margin": dict.fromkeys(("top", "right", "bottom", "left"), "10mm")}
SHEETS = {
    "day": 3,
    "week": 2,
    "month": 4,
    "client": 1,
    "logged-day": 3,
    "logged-week": 3,
    "logged-month": 5,
    "logged-client": 3,
}
# The number of dots per point on paper. It is high enough that the thinnest lane has dots of its own colour only.
SCALE = 2

# Checks the size of every text, and the contrast of every text and mark with its background (WCAG).
MEASURE = """
() => {
  const parse = text => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  CONTRAST
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color[3] === 1) return color;
    }
    return [255, 255, 255, 1];
  };
  const wrong = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!text || element.closest("svg") || !element.checkVisibility()) continue;
    seen += 1;
    const style = getComputedStyle(element);
    if (parseFloat(style.fontSize) < SMALLEST) wrong.push(`${text}: ${style.fontSize}`);
    const ratio = contrast(parse(style.color), ground(element));
    if (ratio < 4.5) wrong.push(`${text}: contrast ${ratio.toFixed(2)}`);
  }
  let marks = 0;
  for (const path of document.querySelectorAll("svg path")) {
    marks += 1;
    const ratio = contrast(parse(getComputedStyle(path).fill), parse(getComputedStyle(path.ownerSVGElement).backgroundColor));
    if (ratio < 3) wrong.push(`a mark: contrast ${ratio.toFixed(2)}`);
  }
  const labels = [...document.querySelectorAll(".axis span")].filter(one => one.checkVisibility());
  const boxes = labels.map(one => one.getBoundingClientRect());
  boxes.slice(1).forEach((box, at) => { if (box.left < boxes[at].right) wrong.push("labels of the axis overlap"); });
  boxes.forEach(box => { if (box.left < 0 || box.right > innerWidth) wrong.push("a label of the axis is cut off"); });
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page scrolls sideways");
  const key = document.querySelector(".key");
  if (innerWidth < 600 && key && key.getBoundingClientRect().height > 100) wrong.push("the key fills a phone's screen");
  const lanes = document.querySelector(".lanes");
  if (innerWidth < 600 && lanes && lanes.getBoundingClientRect().top + scrollY > innerHeight) {
    wrong.push("no lane is on a phone's first screen");
  }
  return { seen, marks, wrong };
}
""".replace("SMALLEST", str(SMALLEST)).replace("CONTRAST", CONTRAST)

FOCUS = """
() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.tagName, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
}
"""


def check(browser, page_file, pictures, size, scheme):
    context = browser.new_context(viewport=dict(zip(("width", "height"), SIZES[size])), color_scheme=scheme)
    page = context.new_page()
    messages, urls = [], []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: urls.append(request.url))
    page.goto(page_file.as_uri())
    page.screenshot(path=pictures / f"{page_file.stem}-{size}-{scheme}.png", full_page=True)
    wrong = [f"the console says: {text}" for text in messages]
    wrong += [f"asks for {url[:80]}" for url in urls if url != page_file.as_uri() and not url.startswith("data:")]
    for summary in page.query_selector_all("summary"):
        page.keyboard.press("Tab")
        tag, is_shown = page.evaluate(FOCUS)
        # On a phone, a row of the legend scrolls, so it can also get the focus.
        while tag == "DD" and is_shown:
            page.keyboard.press("Tab")
            tag, is_shown = page.evaluate(FOCUS)
        if tag != "SUMMARY" or not is_shown:
            wrong.append(f"the keyboard is at {tag}, {'seen' if is_shown else 'unseen'}")
        summary.evaluate("one => one.parentElement.open = true")
    measured = page.evaluate(MEASURE)
    wrong += measured["wrong"]
    if measured["seen"] < 50 or measured["marks"] < (0 if page_file.stem.endswith("client") else 10):
        wrong.append(f"only {measured['seen']} texts and {measured['marks']} marks")
    context.close()
    return wrong


def sheets(pdf):
    """Returns the text and the dots of each sheet of a document."""
    return [
        (sheet.get_textpage().get_text_range(), bytes(sheet.render(scale=SCALE).buffer))
        for sheet in pypdfium2.PdfDocument(pdf)
    ]


def check_on_paper(browser, page_file, pictures):
    printed, wrong = {}, []
    for scheme in SCHEMES:
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(page_file.as_uri())
        days = page.eval_on_selector_all(".label h3", "all => all.map(one => one.textContent)")
        counted = page.eval_on_selector_all("#numbers + details tbody th", "all => all.map(one => one.textContent)")
        page.emulate_media(media="print", color_scheme=scheme)
        # The bytes of a bitmap are in the order blue, green, red.
        active = page.eval_on_selector_all(".lane.active path", "all => all.map(one => getComputedStyle(one).fill)")
        active = [bytes(int(part) for part in reversed(fill.strip("rgb()").split(","))) for fill in active]
        for graphics in (False, True):
            path = pictures / f"{page_file.stem}-paper-{scheme}-{'with' if graphics else 'without'}-graphics.pdf"
            page.pdf(path=path, print_background=graphics, **PAPER)
            printed[scheme, graphics] = sheets(path)
        context.close()
    plain = printed["light", False]
    for (scheme, graphics), other in printed.items():
        if other != plain:
            wrong.append(f"on paper it looks different from a {scheme} screen, graphics {'on' if graphics else 'off'}")
    texts, dots = zip(*plain)
    if active and dots[0].count(active[0]) < 1000:
        wrong.append("the first sheet shows no active time")
    if len(plain) > SHEETS[page_file.stem]:
        wrong.append(f"takes {len(plain)} sheets")
    if page_file.stem.endswith("week"):
        wrong += [f"the first sheet does not show {day}" for day in days if day not in texts[0]]
    numbers = "".join(texts).partition("Numbers")[2]
    wrong += [f"no numbers of {day}" for day in counted if day not in numbers]
    return wrong


def main(browser_path, pictures, *pages):
    pictures = pathlib.Path(pictures)
    pictures.mkdir(parents=True, exist_ok=True)
    # Chromium's sandbox doesn't start for root.
    options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    failed = False
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=options)
        for page in map(pathlib.Path, pages):
            found = {
                f"{size}, {scheme}": check(browser, page.resolve(), pictures, size, scheme)
                for size in SIZES
                for scheme in SCHEMES
            }
            found["paper"] = check_on_paper(browser, page.resolve(), pictures)
            for where, wrong in found.items():
                failed = failed or bool(wrong)
                print(f"{page.stem}, {where}: {'; '.join(sorted(set(wrong))[:8]) or 'ok'}", flush=True)
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
