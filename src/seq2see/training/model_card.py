"""The README of a model directory."""

from collections.abc import Sequence

from seq2see.bundle import Bundle
from seq2see.config import ModelConfig
from seq2see.training.validation import Validation


def model_card(bundle: Bundle, validation: Validation, *, num_pairs: int, notes: Sequence[str]) -> str:
    """Describe a model in Markdown, for whoever finds its directory.

    Args:
        bundle: The model.
        validation: Its figures.
        num_pairs: Training pairs.
        notes: What was chosen from the data, or left out.
    """
    config = bundle.config
    num_parameters = sum(parameter.numel() for parameter in bundle.model.parameters())
    figures = validation.figures
    figure = f"{figures.metric} {figures.value:.2f}, loss {figures.loss:.3f} nats per token"
    chosen = "".join(f"- {note}\n" for note in notes)
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

Chosen from the data:

{chosen}
The attention weights say which source positions an output token was made from; they are not an explanation of
why it was chosen.
"""


def _attention(model: ModelConfig) -> str:
    if model.decoder.type == "transformer":
        return "Transformer"
    return "no attention" if model.attention.scorer == "none" else f"{model.attention.scorer} attention"
