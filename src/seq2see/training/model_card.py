"""The README of a model directory."""

from collections.abc import Sequence

from seq2see.bundle import Bundle
from seq2see.config import ModelConfig
from seq2see.data.pairs import Pair
from seq2see.training.validation import Validation

NUM_EXAMPLES, LONGEST_EXAMPLE = 5, 60


def example_sources(valid: Sequence[Pair]) -> list[str]:
    """A few sources of the validation pairs, the first that are short."""
    short = dict.fromkeys(pair.source for pair in valid if len(pair.source) <= LONGEST_EXAMPLE)
    return list(short)[:NUM_EXAMPLES]


def model_card(
    bundle: Bundle, validation: Validation, *, num_pairs: int, notes: Sequence[str], examples: Sequence[str]
) -> str:
    """Describe a model in Markdown, for whoever finds its directory.

    Args:
        bundle: The model.
        validation: Its figures.
        num_pairs: Training pairs.
        notes: What was chosen from the data, or left out.
        examples: Sources to try it with.
    """
    config = bundle.config
    num_parameters = sum(parameter.numel() for parameter in bundle.model.parameters())
    figures = validation.figures
    figure = f"{figures.metric} {figures.value:.2f}, loss {figures.loss:.3f} nats per token"
    chosen = "".join(f"- {note}\n" for note in notes)
    tried = "".join(f"    {example}\n" for example in examples) or "    (all validation sources are long)\n"
    return f"""# A seq2see model

An attention sequence-to-sequence model, trained by seq2see on {num_pairs:,} pairs.

| | |
|---|---|
| source | tokens of type {config.tokens.source.type}, {bundle.tokenizers.source.vocab_size:,} in all |
| target | tokens of type {config.tokens.target.type}, {bundle.tokenizers.target.vocab_size:,} in all |
| model | {num_parameters:,} parameters; encoder {config.model.encoder.hidden_size} units a direction, \
decoder {config.model.decoder.hidden_size}, {_attention(config.model)} |
| validation | {figure} (greedy) |

Use it:

    seq2see translate THIS_DIRECTORY input.txt
    seq2see plot THIS_DIRECTORY "some text" -o picture.svg

Sources to try it with, of the validation pairs:

{tried}
Chosen from the data:

{chosen}
The attention weights say which source positions an output token was made from; they are not an explanation of
why it was chosen.
"""


def _attention(model: ModelConfig) -> str:
    if model.decoder.type == "transformer":
        return "Transformer"
    return "no attention" if model.attention.scorer == "none" else f"{model.attention.scorer} attention"
