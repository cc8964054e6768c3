"""``docs/results.md``, from the results that ``quality.py`` wrote."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import mean, stdev

from quality_tables import TABLES, Table
from quality_tables.table import TOGETHER, Recipe
from running import Result, read_results

HEAD = """# Results

Written by `benchmarks/quality.py page` from the figures in `docs/results.json`: what each recipe of `configs/` reaches
on test sets; the model is chosen on the validation pairs. (Some test sets, those of ady, fre and hun among them
and those of Arabic, Gothic and Hebrew forms, were looked at before, while seq2see was made.) ± is the standard
deviation over seeds.
Figures of others are as published, with their source. Minutes are those of one core for one model, validation included
(for some of them by the clock), most of them while the machine was busy with another run too: of an AMD EPYC for the
RNNs for phones, names and strings of programs into Chinese, elsewhere of an Intel Xeon. Tables and rows that are
missing have not been run yet.
The EPYC's are from before beam search went on until nothing unfinished can win: on validation words of Dutch and Korean
that changes WER from 13.6 to 13.3 and from 21.3 to 21.3, on validation sentences from and into Chinese BLEU by 0.04 at
most.

`python benchmarks/quality.py prepare --data DATA --out results` writes the pairs that the commands read, from the data
sets; `python benchmarks/quality.py TABLE --data DATA --out results` makes a whole table.
"""


def write_page(out: Path, data: Path, page: Path) -> None:
    """Write the page and, beside it, all its figures.

    Args:
        out: Folder of the results.
        data: Folder of the data sets, with the published figures.
        page: The Markdown file.
    """
    results = [result for name in TABLES for result in read_results(out / f"{name}.jsonl")]
    page.with_suffix(".json").write_text(
        json.dumps({"results": results, "published": _published(data)}, ensure_ascii=False, indent=1) + "\n"
    )
    page.write_text(page_text(page.with_suffix(".json")), encoding="utf-8")


def page_text(figures: Path) -> str:
    """The page, from its figures."""
    content = json.loads(figures.read_text(encoding="utf-8"))
    sections = []
    for name, table in TABLES.items():
        results = [result for result in content["results"] if result["table"] == name]
        if results:
            sections.append("\n".join(_section(table, results, content["published"].get(name, []))))
    return "\n".join([HEAD, *sections])


def _published(data: Path) -> dict[str, list[Result]]:
    """What others reached, by table."""
    found = {}
    for name, table in TABLES.items():
        rows = [{"name": one.name, "source": one.source, "scores": dict(one.scores)} for one in table.published(data)]
        if rows:
            found[name] = rows
    return found


def _section(table: Table, results: list[Result], published: list[Result]) -> Iterator[str]:
    yield f"## {table.title}\n\n{table.about}\n"
    sets = sorted({result["set"] for result in results})
    columns = _columns(table, results, published)
    for metric in table.metrics:
        shown = {name: cells for name, cells in columns.items() if any(metric in one for one in cells.values())}
        yield _line([metric, *shown])
        yield _line(["---"] * (len(shown) + 1))
        for one in sets:
            yield _line([one, *(_figure(cells.get(one, {}).get(metric, [])) for cells in shown.values())])
        for name, ending in table.means.items():
            some = [one for one in sets if one.endswith(ending)]
            if all(cells.keys() & set(some) for cells in shown.values()):
                yield _line([name, *(_mean(cells, some, metric) for cells in shown.values())])
        yield ""
    yield from _costs(table, results)
    yield "\n".join(f"- {one['name']}: {one['source']}." for one in published)
    yield from _commands(table, results)


def _columns(
    table: Table, results: list[Result], published: list[Result]
) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Name of the column → set → metric → figures, one for each seed."""
    columns: dict[str, dict[str, dict[str, list[float]]]] = {name: {} for name in _names(table)}
    for result in results:
        name = result["model"]
        if result["seed"] == TOGETHER:
            name = _together(name, table.models[name])
        cells = columns[name].setdefault(result["set"], {})
        for metric, value in result[table.parts[-1]].items():
            cells.setdefault(metric, []).append(value)
    known = {result["set"] for result in results}
    for one in published:
        columns[one["name"]] = {
            name: {metric: [value] for metric, value in scores.items()}
            for name, scores in one["scores"].items()
            if name in known
        }
    return columns


def _names(table: Table) -> Iterator[str]:
    """Columns of what was run, in their order."""
    for model, recipe in table.models.items():
        yield from (model, _together(model, recipe))
    yield from table.peers
    if table.baseline is not None:
        yield table.baseline[0]


def _together(model: str, recipe: Recipe) -> str:
    return f"{model}, {recipe.seeds} together"


def _figure(values: list[float]) -> str:
    if not values:
        return ""
    return f"{mean(values):.2f}" + (f" ± {stdev(values):.2f}" if len(values) > 1 else "")


def _mean(cells: Mapping[str, Mapping[str, list[float]]], sets: Iterable[str], metric: str) -> str:
    """The mean over the sets, where all are there; how far it varies over seeds."""
    found = [cells.get(one, {}).get(metric, []) for one in sets]
    if not all(found):
        return ""
    seeds = min(map(len, found))
    return _figure([mean(values[seed] for values in found) for seed in range(seeds)])


def _costs(table: Table, results: list[Result]) -> Iterator[str]:
    """Parameters and minutes of each model."""
    for model in (*table.models, *table.peers):
        own = [result for result in results if result["model"] == model and result.get("minutes")]
        if own:
            minutes = sorted(result["minutes"] for result in own)
            known = [result["parameters"] / 1e6 for result in own if "parameters" in result]
            parameters = f"{mean(known):.1f} million parameters, " if known else ""
            spread = f"{minutes[0]:.1f} to {minutes[-1]:.1f}" if len(minutes) > 1 else f"{minutes[0]:.1f}"
            yield f"{model}: {parameters}{spread} minutes.\n"


def _commands(table: Table, results: list[Result]) -> Iterator[str]:
    """How to make a row oneself."""
    done = {result["model"] for result in results}
    yield "\n    SET=" + next(result["set"] for result in results)
    for model, recipe in table.models.items():
        if model in done:
            yield f"    # {model}"
            yield from (f"    {line}" for line in _command(table, recipe))
    for peer in [peer for peer in table.peers if peer in done]:
        yield f"    # {peer}"
        yield (
            f'    python benchmarks/quality.py {table.name} --sets $SET --models "{peer}" --peers peers --data DATA'
            " --out results"
        )
    yield ""


def _command(table: Table, recipe: Recipe) -> Iterator[str]:
    pairs = f"results/pairs/{table.name}/$SET"
    settings = "".join(f" --set {setting}" for setting in recipe.settings)
    yield (
        f"seq2see train configs/{recipe.config} --data {pairs}/train.tsv --valid {pairs}/valid.tsv{settings} --seed 1"
        " --threads 1 --out model"
    )
    if recipe.seeds > 1:
        seeds = ", ".join(map(str, range(2, recipe.seeds + 1)))
        together = f"; all together: the same with --ensemble {recipe.seeds}" if recipe.together else ""
        yield f"# further seeds: {seeds}{together}"
    yield f"seq2see evaluate model --data {pairs}/{table.parts[-1]}.tsv"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
