"""A page in headless Chromium: what it looks like, and what it says of itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

PROBE = """<script>
window.problems = [];
window.addEventListener("error", (event) => window.problems.push(String(event.message)));
window.addEventListener("load", () => {
  const button = document.querySelector("table.sortable th.n button");
  const column = button ? button.closest("th").cellIndex : 0;
  if (button) button.click();
  const cells = button ? Array.from(button.closest("table").tBodies[0].rows, (r) => r.cells[column]) : [];
  const values = cells.map((c) => parseFloat(c.dataset.value ?? c.textContent));
  const wide = Array.from(document.querySelectorAll("body *")).filter((element) => {
    if (element.closest(".scroll")) return false;
    return element.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
  });
  const found = {
    problems: window.problems,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    wide: wide.map((element) => element.tagName + "." + element.getAttribute("class")),
    sorted: values.every((value, n) => n === 0 || values[n - 1] >= value),
    width: window.innerWidth,
  };
  window.parent.document.body.dataset.found = JSON.stringify(found);
});
</script>"""


def chromium() -> str | None:
    """The browser, if it is there."""
    return next(
        (
            found
            for name in ("chromium", "chromium-browser", "google-chrome")
            if (found := shutil.which(name))
        ),
        None,
    )


def run(page: Path, width: int, *how: str) -> str:
    """Opens a page in a frame of a width and gives what the browser prints."""
    # A window of the browser is never narrower than 500 pixels: a frame is.
    frame = page.with_name(f"frame-{width}.html")
    frame.write_text(
        f'<!doctype html><body style="margin:0"><iframe src="{page.name}" style="border:0;width:{width}px;height:4000px"></iframe>'
    )
    browser = chromium()
    assert browser is not None
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--allow-file-access-from-files",
        "--hide-scrollbars",
    ]
    command += [
        f"--user-data-dir={page.parent / 'profile'}",
        f"--window-size={max(width, 500)},4000",
        *how,
        frame.as_uri(),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
