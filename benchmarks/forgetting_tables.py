"""The tables and figures of the comparison, from what was measured."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from matplotlib.figure import Figure
from running import Result, read_results

STYLES = {"none": ":", "additive": "-", "scaled_dot": "-", "location_aware": "-.", "transformer": "-"}
WIDTHS = {"none": 2.0, "additive": 6.0, "scaled_dot": 4.0, "location_aware": 2.5, "transformer": 1.5}
COLORS = {
    "none": "#888888",
    "additive": "#1b6ca8",
    "scaled_dot": "#d1495b",
    "location_aware": "#2e933c",
    "transformer": "#8e44ad",
}


def write_tables(folder: Path) -> None:
    """Write ``strings.svg``, ``bible.svg`` and ``tables.md`` beside the results."""
    strings, bible, scorers = (read_results(folder / f"{name}.jsonl") for name in ("strings", "bible", "scorers"))
    parts = [_strings_table(strings), _bible_table(bible), _scorers_table(scorers)]
    (folder / "tables.md").write_text("\n".join(parts), encoding="utf-8")
    if strings:
        _strings_figure(strings).savefig(folder / "strings.svg")
    if bible:
        _bible_figure(bible).savefig(folder / "bible.svg")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _strings_table(results: Sequence[Result]) -> str:
    if not results:
        return ""
    lengths = list(results[0]["accuracy"])
    rows = [
        [one["task"], f"1–{one['longest']}", one["model"], *(f"{one['accuracy'][n]:.0f}" for n in lengths)]
        for one in results
    ]
    return _table(["task", "trained on", "model", *lengths], rows)


def _bible_table(results: Sequence[Result]) -> str:
    if not results:
        return ""
    buckets = [row["source_tokens"] for row in results[0]["by_length"]]
    rows = [
        [one["model"], f"{one['metrics']['bleu']:.1f}", *(f"{row['bleu']:.1f}" for row in one["by_length"])]
        for one in results
    ]
    return _table(["model", "all", *buckets], rows)


def _scorers_table(results: Sequence[Result]) -> str:
    if not results:
        return ""
    languages = list(dict.fromkeys(one["language"] for one in results))
    groups: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        groups[one["scorer"], one["order"], one["fusion"]][one["language"]].append(one["wer"])
    rows = []
    for key, found in groups.items():
        means = [sum(found[language]) / len(found[language]) if found[language] else None for language in languages]
        complete = [mean for mean in means if mean is not None]
        cells = ["–" if mean is None else f"{mean:.1f}" for mean in means]
        macro = f"{sum(complete) / len(complete):.1f}" if len(complete) == len(languages) else "–"
        rows.append([*key, *cells, macro, str(min(len(values) for values in found.values()))])
    return _table(["scorer", "order", "fusion", *languages, "mean", "seeds"], rows)


def _strings_figure(results: Sequence[Result]) -> Figure:
    tasks = list(dict.fromkeys((one["task"], one["longest"]) for one in results))
    figure = Figure(figsize=(9, 2.8 * ((len(tasks) + 1) // 2)), layout="constrained")
    axes = figure.subplots((len(tasks) + 1) // 2, 2, sharex=True, sharey=True, squeeze=False).flatten()
    for ax, (task, longest) in zip(axes, tasks, strict=False):
        for one in results:
            if (one["task"], one["longest"]) == (task, longest):
                lengths = [int(length) for length in one["accuracy"]]
                model = one["model"]
                accuracy = list(one["accuracy"].values())
                # thick ones first, so that lines that lie on each other are all seen
                ax.plot(lengths, accuracy, STYLES[model], color=COLORS[model], label=model, linewidth=WIDTHS[model])
        ax.axvline(longest, color="black", linewidth=0.5)
        ax.set(title=f"{task}, trained on lengths 1–{longest}", xlabel="length", ylabel="right, %")
    for ax in axes[len(tasks) :]:
        ax.set_visible(False)
    axes[0].legend(fontsize=8)
    return figure


def _bible_figure(results: Sequence[Result]) -> Figure:
    figure = Figure(figsize=(6, 3), layout="constrained")
    ax = figure.subplots()
    for one in results:
        rows = one["by_length"]
        names = [row["source_tokens"] for row in rows]
        model = one["model"]
        ax.plot(names, [row["bleu"] for row in rows], STYLES[model], color=COLORS[model], label=model, marker="o")
    ax.set(xlabel="source tokens", ylabel="BLEU", ylim=(0, None))
    ax.legend()
    return figure
