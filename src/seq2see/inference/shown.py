"""Which heads' weights are shown."""

from seq2see.build import num_attention_heads, num_attention_layers
from seq2see.bundle import Bundle
from seq2see.config import SearchConfig
from seq2see.errors import ConfigError
from seq2see.seq2seq import Model
from seq2see.shown_heads import ShownHeads


def with_shown_heads(bundle: Bundle, search: SearchConfig) -> Model:
    """The model of a bundle; the weights of one layer, of one head of each layer, or of one head alone are shown.

    Args:
        bundle: The model and its configuration.
        search: ``attention_layer`` and ``attention_head`` say which, from 1; None takes the mean of all.

    Raises:
        ConfigError: There is no such layer or head.
    """
    layer, head = search.attention_layer, search.attention_head
    num_layers, num_heads = num_attention_layers(bundle.config.model), num_attention_heads(bundle.config.model)
    for key, value, most in (("attention_layer", layer, num_layers), ("attention_head", head, num_heads)):
        if value is not None and value > most:
            raise ConfigError(f"search.{key} is {value}, but a model has {most} with attention to its source")
    if layer is None and head is None:
        return bundle.model
    layers = range(num_layers) if layer is None else [layer - 1]
    heads = range(num_heads) if head is None else [head - 1]
    return ShownHeads(bundle.model, [one * num_heads + other for one in layers for other in heads])
