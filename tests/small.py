"""A small model with random weights."""

import torch

from seq2see.build import build_model
from seq2see.bundle import Bundle
from seq2see.config import load_config
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


def small_translator(*settings: str, seed: int = 10, spread: float = 8.0) -> Translator:
    """Letters to letters. ``spread`` widens the weights so that outputs differ from source to source."""
    config = load_config(None, [*SIZES, *settings])
    tokenizer = train_tokenizer([LETTERS], "char", vocab_size=100, min_frequency=1)
    torch.manual_seed(seed)
    model = build_model(config.model, source_vocab_size=tokenizer.vocab_size, target_vocab_size=tokenizer.vocab_size)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(spread)
    model.eval()
    return Translator(Bundle(config, tokenizer, tokenizer, model))
