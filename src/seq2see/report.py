"""A page about a model: its run, its figures, its best and its worst outputs with what they looked at."""

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seq2see.alignment import label
from seq2see.bundle import HISTORY, METADATA
from seq2see.confusions import confusions
from seq2see.evaluation import Evaluation, token_error_rate
from seq2see.files import write_file
from seq2see.inference import Translation, Translator

NUM_SHOWN = 5
LONGEST_SHOWN = 40
NUM_CONFUSIONS = 15
NOTHING = "nothing"


def write_report(path: Path, translator: Translator, evaluation: Evaluation, directory: Path) -> None:
    """Write the page; it loads nothing from anywhere.

    Args:
        path: File to write.
        translator: The model.
        evaluation: On the pairs that the page is about.
        directory: The model's, whose history is drawn if it is there.

    Raises:
        OutputError: The file cannot be written.
    """
    from seq2see.plotting import page

    body = _table(
        ["metric", "value", "how"],
        [[name, f"{value:.2f}", evaluation.signatures.get(name, "")] for name, value in evaluation.metrics.items()],
    )
    body = _data(evaluation, directory) + _curves(translator, directory) + body + _by_length(evaluation)
    body += _confusions(translator, evaluation)
    shown = _examples(translator, evaluation)
    write_file(
        path,
        page(
            [translation.alignment for _, translation in shown],
            title=f"Report: {directory.resolve().name}",
            text=f"{evaluation.sources:,} sources, {evaluation.pairs:,} references; best and worst outputs below.",
            body=body,
            notes=[note for note, _ in shown],
        ),
    )


def _data(evaluation: Evaluation, directory: Path) -> str:
    """What the model has learnt from, and what it was measured on."""
    try:
        learnt = json.loads((directory / METADATA).read_text(encoding="utf-8")).get("data", {})
    except (OSError, ValueError):  # it is for people, who may have changed it
        learnt = {}
    rows = [[name.replace("_", " "), f"{value:,}"] for name, value in learnt.items() if isinstance(value, int)]
    texts = [translation.source for translation in evaluation.translations]
    targets = [reference for references in evaluation.references for reference in references]
    rows += [
        ["pairs of this page", f"{evaluation.pairs:,}"],
        ["characters of a source here, on average", f"{sum(map(len, texts)) / max(1, len(texts)):.1f}"],
        ["characters of a target here, on average", f"{sum(map(len, targets)) / max(1, len(targets)):.1f}"],
    ]
    return _table(["data", ""], rows)


def _confusions(translator: Translator, evaluation: Evaluation) -> str:
    """Which tokens are written in place of which, where tokens are characters or symbols."""
    target = translator.tokenizers.target
    if target.token_type not in ("char", "space"):
        return ""
    references = [[target.encode(text).tokens for text in texts] for texts in evaluation.references]
    outputs = [target.encode(translation.text).tokens for translation in evaluation.translations]
    rows = [
        [label(one.wanted) or NOTHING, label(one.written) or NOTHING, f"{one.times:,}"]
        for one in confusions(outputs, references)[:NUM_CONFUSIONS]
    ]
    return _table(["wanted", "written", "how often"], rows) if rows else ""


def _curves(translator: Translator, directory: Path) -> str:
    from seq2see.plotting.curves import as_svg, curves

    path = directory / HISTORY
    if not path.is_file():
        return ""
    history: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return as_svg(curves(history, translator.config.training.metric)) if history else ""


def _by_length(evaluation: Evaluation) -> str:
    names = list(evaluation.by_length[0])
    rows = [
        [f"{value:.2f}" if isinstance(value, float) else f"{value}" for value in row.values()]
        for row in evaluation.by_length
    ]
    return _table([name.replace("_", " ") for name in names], rows)


def _examples(translator: Translator, evaluation: Evaluation) -> list[tuple[str, Translation]]:
    """The outputs with the fewest errors (the longest first) and with the most, with a line for each."""
    rated = []
    for translation, references in zip(evaluation.translations, evaluation.references, strict=True):
        if translation.tokens and max(len(translation.tokens), len(translation.source_tokens)) <= LONGEST_SHOWN:
            errors = token_error_rate(translator, [translation.text], [references]).value
            rated.append((errors, -len(translation.source_tokens), translation, references[0]))
    rated.sort(key=lambda one: one[:2])
    worst = rated[max(NUM_SHOWN, len(rated) - NUM_SHOWN) :]
    return [
        (
            f"{kind}: {translation.source.replace(chr(9), ' · ')} → {translation.text}   (wanted {reference})",
            translation,
        )
        for kind, chosen in (("best", rated[:NUM_SHOWN]), ("worst", worst[::-1]))
        for _, _, translation, reference in chosen
    ]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>"
