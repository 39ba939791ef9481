"""What a sweep found: a table for the terminal, and a page with a plot of each figure over the values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
from markupsafe import Markup

from talewright.dsl.text_sanitizer import harmless
from talewright.report.playtest.output.charts import over_values
from talewright.report.playtest.output.plain_words import measure_name, winnable
from talewright.schemas.records import record


@record(frozen=True)
class Figure:
    """A number that games give, with its 95 % interval."""

    value: float
    low: float
    high: float
    share: bool = False

    def __str__(self) -> str:
        if self.share:
            return f"{self.value:.1%} ({self.low:.1%} to {self.high:.1%})"
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


def figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    """What the result of one run is compared by."""
    made: dict[str, Figure] = {}
    if winnable(result):
        made["won"] = _share(result["win_rate"])
    else:
        made |= {name: _share(entry) for name, entry in result["outcome_rates"].items()}
    if round(result["rounds"]["mean"]):
        made["rounds"] = _mean(result["rounds"])
    if result["decisions"]["mean"]:
        made["decisions"] = _mean(result["decisions"])
    for id_, measure in result["measures"].items():
        name = measure_name(id_)
        if "mean" in measure:
            made[name] = _mean(measure)
            continue
        words = [word for word in measure["shares"] if word != "no"]
        made |= {
            name if word == "yes" else f"{name}: {word}": _share(measure["shares"][word]) for word in words
        }
    return made


def _share(entry: Mapping[str, float]) -> Figure:
    return Figure(entry["value"], entry["low"], entry["high"], share=True)


def _mean(entry: Mapping[str, float]) -> Figure:
    return Figure(entry["mean"], entry["low"], entry["high"])


def _columns(runs: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[dict[str, Figure]]]:
    rows = [figures(run["result"]) for run in runs]
    return list(dict.fromkeys(name for row in rows for name in row)), rows


def table(swept: Mapping[str, Any]) -> str:
    """The figures at each value, one line each, in columns."""
    names, rows = _columns(swept["runs"])
    cells = [[swept["vary"], "games", *names]]
    for run, row in zip(swept["runs"], rows, strict=True):
        shown = [str(row[name]) if name in row else "-" for name in names]
        cells.append([run["value"], str(run["result"]["games"]), *shown])
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    lines = [
        "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in cells
    ]
    broken = sum(run["result"]["errors"] for run in swept["runs"])
    note = f"\n{broken} games broke off\n" if broken else ""
    return "\n".join(lines) + f"\n\nin brackets: 95 % intervals\n{note}"


def page(swept: Mapping[str, Any], title: str) -> str:
    """The page of a sweep."""
    names, rows = _columns(swept["runs"])
    values = [run["value"] for run in swept["runs"]]
    charts = []
    for name in names:
        points = [
            (value, row[name].value, row[name].low, row[name].high)
            for value, row in zip(values, rows, strict=True)
            if name in row
        ]
        share = next(row[name].share for row in rows if name in row)
        charts.append((name, Markup(over_values(points, f"{name} over {swept['vary']}", share))))
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("talewright.report.playtest.output", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = [
        (run["value"], run["result"]["games"], [str(row.get(name, "-")) for name in names])
        for run, row in zip(swept["runs"], rows, strict=True)
    ]
    html = environment.get_template("sweep.html.jinja").render(
        title=title, swept=swept, charts=charts, names=names, rows=shown
    )
    return harmless(html)


__all__ = ["Figure", "figures", "page", "table"]
