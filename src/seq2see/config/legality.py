"""Which choices of a model do not go together, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from seq2see.config.schema import ModelConfig

    Model = TypeVar("Model", bound=ModelConfig)

RECURRENT_ONLY = {
    "encoder": ("cell", "bidirectional", "residual"),
    "decoder": ("cell", "order", "input_feeding", "fusion", "first_state"),
}


def check_model(model: Model) -> Model:
    """Return the model's configuration if its choices fit together.

    Raises:
        ValueError: They do not; tells each fault, and what would do.
    """
    faults = [*_transformer(model), *_order(model), *_sizes(model), *_attention(model)]
    if faults:
        raise ValueError("; ".join(faults))
    return model


def _transformer(model: ModelConfig) -> Iterator[str]:
    for side, section in (("encoder", model.encoder), ("decoder", model.decoder)):
        if section.type != "transformer":
            continue
        for key in RECURRENT_ONLY[side]:
            if getattr(section, key) != type(section).model_fields[key].default:
                yield f"model.{side}.{key} is {getattr(section, key)}, which belongs to type rnn; leave it out"
        if section.hidden_size != model.embedding_size:
            yield (
                f"model.{side}.hidden_size is {section.hidden_size} and model.embedding_size {model.embedding_size}; "
                "a Transformer wants them equal"
            )
    if model.encoder.type == "transformer" and model.encoder.hidden_size % model.encoder.num_heads:
        yield (
            f"model.encoder.hidden_size is {model.encoder.hidden_size}, wanted a multiple of its num_heads, "
            f"{model.encoder.num_heads}"
        )
    if model.decoder.type != "transformer":
        return
    if model.attention.scorer not in ("additive", "scaled_dot") or model.attention.normaliser != "softmax":
        yield (
            f"model.decoder.type is transformer, whose layers have scaled_dot attention with softmax; "
            f"model.attention has {model.attention.scorer} with {model.attention.normaliser}; leave them out"
        )
    if model.decoder.hidden_size % (model.attention.num_heads or 4):
        yield (
            f"model.decoder.hidden_size is {model.decoder.hidden_size}, wanted a multiple of "
            f"model.attention.num_heads, {model.attention.num_heads or 4}"
        )


def _order(model: ModelConfig) -> Iterator[str]:
    decoder = model.decoder
    if decoder.type != "rnn" or decoder.input_feeding:
        return
    if decoder.order == "bahdanau":
        yield (
            "model.decoder.input_feeding is false, but in Bahdanau's order the context always enters the cell; "
            "it belongs to order=luong"
        )
    elif decoder.fusion == "project":
        yield "model.decoder.fusion is project, but without input_feeding there is nothing to fuse; leave it out"


def _sizes(model: ModelConfig) -> Iterator[str]:
    memory_size = memory_size_of(model)
    decoder = model.decoder
    if decoder.type == "rnn" and model.attention.scorer == "dot" and memory_size != decoder.hidden_size:
        yield (
            f"model.attention.scorer is dot, which multiplies decoder and encoder states, but decoder.hidden_size is "
            f"{decoder.hidden_size} and an encoder state has {memory_size} units; make them equal, or take "
            f"general, which has a matrix between them"
        )
    if decoder.type == "rnn" and decoder.first_state == "last" and memory_size != decoder.hidden_size:
        yield (
            f"model.decoder.first_state is last, but decoder.hidden_size is {decoder.hidden_size} and an encoder "
            f"state has {memory_size} units; make them equal, or take bridge, which has a layer between them"
        )
    if model.tie_output and decoder.output == "linear" and decoder.hidden_size != model.embedding_size:
        yield (
            f"model.tie_output is true, but embeddings have {model.embedding_size} units and the state, from which "
            f"output=linear scores, {decoder.hidden_size}; make them equal, or take output=deep"
        )


def _attention(model: ModelConfig) -> Iterator[str]:
    attention = model.attention
    heads = attention.num_heads or 1
    if attention.scorer == "none":
        for wrong, name in (
            (heads > 1, f"num_heads={heads}"),
            (attention.normaliser != "softmax", f"normaliser={attention.normaliser}"),
            (model.decoder.copies, "decoder.copies"),
            (model.encoder.tags == "attended", "encoder.tags=attended"),
        ):
            if wrong:
                yield f"model.attention.scorer is none: nothing is attended to, so {name} has no meaning; leave it out"
    if model.decoder.type == "rnn" and heads > 1:
        if attention.scorer == "dot":
            yield "model.attention.scorer is dot, which has no weights: all heads would look at the same; take general"
        sizes = [(memory_size_of(model), "memory")]
        if attention.scorer not in ("dot", "general"):
            sizes.append((attention.attention_size, "attention.attention_size"))
        for size, name in sizes:
            if size % heads:
                yield f"model.attention.num_heads is {heads}, but the {name} of {size} units is no multiple of it"
    if model.encoder.tags == "attended" and (
        attention.scorer == "location_aware" or attention.normaliser in ("local", "monotonic")
    ):
        yield (
            "model.encoder.tags is attended, but tags have no place in the order of the source, which "
            "location_aware, local and monotonic attention need; take added"
        )


def memory_size_of(model: ModelConfig) -> int:
    """Units of an encoder state."""
    both = model.encoder.type == "rnn" and model.encoder.bidirectional
    return model.encoder.hidden_size * (2 if both else 1)
