"""A small model with random weights."""

import torch

from seq2see.bundle import Bundle, build_for, make_tokenizers
from seq2see.config import load_config
from seq2see.data.tokenizer import Tokenizer
from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.inference import Translator
from tests.toys import LETTERS

SIZES = [
    "model.embedding_size=7",
    "model.encoder.hidden_size=11",
    "model.decoder.hidden_size=13",
    "model.attention.attention_size=5",
    "tokens.source.type=char",
    "tokens.target.type=char",
    "search.length_ratio=1.0",
]
TAGS = "N V PL SG PST"


def small_translator(
    *settings: str, seed: int = 10, spread: float = 8.0, tokenizer: Tokenizer | None = None
) -> Translator:
    """Letters to letters, or tokens to tokens of a given tokenizer.

    ``spread`` widens the weights so that outputs differ from source to source.
    """
    types = [] if tokenizer is None else [f"tokens.{side}.type={tokenizer.token_type}" for side in ("source", "target")]
    config = load_config(None, [*SIZES, *types, *settings])
    tokenizer = tokenizer or train_tokenizer([LETTERS], "char", vocab_size=100, min_frequency=1)
    tags = None
    if config.model.encoder.tags != "none":
        tags = train_tokenizer([TAGS], "space", vocab_size=None, min_frequency=1)
    tokenizers = make_tokenizers(config, tokenizer, tokenizer, tags)
    torch.manual_seed(seed)
    model = build_for(config, tokenizers)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(spread)
    model.eval()
    return Translator(Bundle(config, tokenizers, model))
