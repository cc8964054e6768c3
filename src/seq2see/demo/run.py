"""The demo: train on the bundled pairs, measure, translate, draw."""

from pathlib import Path

from rich.console import Console

from seq2see.config import Config, replace
from seq2see.demo.pairs import CREDIT, demo_pairs
from seq2see.evaluation import Evaluation, evaluate
from seq2see.files import write_file
from seq2see.inference import Translation
from seq2see.plotting import grid, page
from seq2see.training import ConsoleReporter, train_on_pairs

NUM_SHOWN = 5
LENGTHS_SHOWN = (4, 12)
"""Source tokens of the sentences that are shown: neither trivial nor too wide."""


def run_demo(directory: Path, *, minutes: float, console: Console) -> Evaluation:
    """Train English→Chinese, evaluate on the test sentences, and write model, pictures and page.

    Args:
        directory: Gets ``model/``, ``heatmap.png``, ``lines.svg`` and ``alignments.html``; an earlier demo there
            is replaced.
        minutes: Of training, validation included.
        console: Where to write; without markup, since sentences are printed as they are.

    Raises:
        OutputError: The directory cannot be written.
    """
    pairs = demo_pairs()
    console.print(f"English → Chinese on this machine in {minutes:g} minutes ({CREDIT})")
    config = replace(Config(), {"training.minutes": minutes})
    reporter = ConsoleReporter(console)
    translator = train_on_pairs(
        pairs.train, pairs.valid, config, out=directory / "model", overwrite=True, reporter=reporter
    )
    result = evaluate(translator, pairs.test)
    console.print(
        f"\ntest: BLEU {result.metrics['bleu']:.1f} · chrF {result.metrics['chrf']:.1f} "
        f"on {result.sources:,} sentences the model never saw, beam {translator.config.search.beam_size}",
    )
    for name in ("bleu", "chrf"):
        console.print(f"  {name}: {result.signatures[name]}", style="dim")
    shown = _choose(result)
    for translation, reference in shown:
        wanted = "" if translation.text == reference else f"   (a person wrote {reference})"
        text = f"\n{translation.source} → {translation.text}{wanted}\n{grid(translation.alignment)}"
        console.print(text)
    pictures = _draw(directory, [translation for translation, _ in shown])
    console.print(
        f"\nwritten to {directory}:\n"
        "  model/           the model: seq2see translate, evaluate and plot take this directory\n"
        f"{pictures}"
        f'try: seq2see plot {directory / "model"} "I am hungry." -o hungry.svg --kind lines',
    )
    return result


def _choose(result: Evaluation) -> list[tuple[Translation, str]]:
    """Test sentences spread evenly over those of a length that is easily read; not picked for being right."""
    low, high = LENGTHS_SHOWN
    fitting = [
        (translation, references[0])
        for translation, references in zip(result.translations, result.references, strict=True)
        if low <= len(translation.source_tokens) <= high and translation.tokens
    ]
    return fitting[:: max(1, len(fitting) // NUM_SHOWN)][:NUM_SHOWN]


def _draw(directory: Path, translations: list[Translation]) -> str:
    """Write pictures and page; return what there is to say of them."""
    if not translations:
        return "  no pictures: all outputs are empty, the model needs more minutes\n"
    translations[-1].plot(directory / "heatmap.png", "heatmap")
    translations[-1].plot(directory / "lines.svg", "lines")
    text = page(
        [translation.alignment for translation in translations],
        title="What each Chinese character attended to",
        text=f"Sentences that the model never saw in training; {CREDIT}.",
    )
    write_file(directory / "alignments.html", text)
    return (
        "  heatmap.png, lines.svg    the attention of the last sentence above\n"
        "  alignments.html  all of them; point at a token to see what it attended to\n"
    )
