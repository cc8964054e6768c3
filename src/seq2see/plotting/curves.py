"""A run drawn over its updates."""

import io
from collections.abc import Sequence
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

LOSSES = {"train_loss": "training", "valid_loss": "validation"}


def curves(history: Sequence[dict[str, Any]], metric: str) -> Figure:
    """Losses, and the metric that decided, at every validation.

    Args:
        history: Records of ``history.jsonl``.
        metric: Name of the metric; ``loss`` has no curve of its own.
    """
    updates = [record["update"] for record in history]
    has_metric = any(metric in record for record in history)
    figure = Figure(figsize=(9, 2.8), layout="constrained")
    axes = figure.subplots(1, 2 if has_metric else 1, squeeze=False)[0]
    for key, name in LOSSES.items():
        axes[0].plot(updates, [record[key] for record in history], marker="o", markersize=3, label=name)
    axes[0].set(xlabel="updates", ylabel="nats per token")
    axes[0].legend()
    if has_metric:
        axes[1].plot(updates, [record.get(metric) for record in history], marker="o", markersize=3, color="#2e933c")
        best = [record for record in history if record["best"]]
        axes[1].plot([best[-1]["update"]], [best[-1][metric]], "*", markersize=12, color="#2e933c", label="kept")
        axes[1].set(xlabel="updates", ylabel=metric.replace("_", " "))
        axes[1].legend()
    return figure


def as_svg(figure: Figure) -> str:
    """The figure as an SVG element to stand in a page; the same every time."""
    buffer = io.StringIO()
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "seq2see"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :].replace("<svg ", '<svg class="curves" ', 1)
