"""A Transformer decoder with a cache of what it has read."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from seq2see.attention import causal_mask
from seq2see.decoders.decoder import Decoder
from seq2see.decoders.output import Known, OutputLayer
from seq2see.decoders.transformer_layer import Cache, TransformerDecoderLayer, TransformerLayerOutput
from seq2see.layers import Dropout, sinusoids
from seq2see.losses import label_log_probs
from seq2see.types import DecoderState, Memory, StepOutput


class TransformerDecoder(Decoder):
    r"""Layers that look at the target so far and at the memory.

    .. math:: x^{(0)}_i = \sqrt{d}\, E y_{i-1} + P_i \qquad s_i = \mathrm{LN}(x^{(L)}_i)

    :math:`P` are the positions, :math:`d` their size. The weights given are those of all layers on the memory, the
    heads of the first layer first. Keys and values of tokens already read are kept in the state, so that a step costs
    no more than its own token.

    Args:
        embedding: Embedding of the target tokens, of the size of the layers.
        memory_size: Size of the memory.
        num_layers: L.
        num_heads: Heads of each layer.
        output: Scores the next token; its context is what the last layer saw of the memory.
        dropout: Share of embedded and of added values that are zeroed in training.

    References:
        Vaswani et al. 2017, §3 (arXiv:1706.03762).
    """

    def __init__(
        self,
        *,
        embedding: nn.Embedding,
        memory_size: int,
        num_layers: int,
        num_heads: int,
        output: OutputLayer,
        dropout: float,
    ) -> None:
        super().__init__()
        self.size = embedding.embedding_dim
        self.num_heads = num_heads
        self.embedding = embedding
        layers = [
            TransformerDecoderLayer(size=self.size, memory_size=memory_size, num_heads=num_heads, dropout=dropout)
            for _ in range(num_layers)
        ]
        self.layers: Sequence[TransformerDecoderLayer] = nn.ModuleList(layers)  # type: ignore[assignment]
        self.norm = nn.LayerNorm(self.size)
        self.output = output
        self.dropout = Dropout(dropout)

    def init_state(self, memory: Memory) -> DecoderState:
        """Keys and values of the memory for every layer, and nothing read."""
        rows = len(memory.mask)
        state = {"mask": memory.mask, "copy_ids": memory.copy_ids}
        state["position"] = torch.zeros(rows, dtype=torch.int64, device=memory.mask.device)
        nothing = memory.states.new_zeros(rows, self.num_heads, 0, self.size // self.num_heads)
        for number, layer in enumerate(self.layers):
            state[f"layer{number}.keys"] = layer.attention.keys(memory.states)
            state[f"layer{number}.values"] = layer.attention.values(memory.values)
            state[f"layer{number}.past_keys"] = state[f"layer{number}.past_values"] = nothing
        return state

    def step(self, tokens: Int[Tensor, " B"], state: DecoderState) -> StepOutput:
        """Read one token, score the next."""
        num_read = state["layer0.past_keys"].shape[2] + 1
        sees_all = torch.ones(1, num_read, dtype=torch.bool, device=tokens.device)
        known, head_weights, state = self._read_more(tokens[:, None], state, sees_all)
        return StepOutput(self.output(known).squeeze(1), state, head_weights.squeeze(1))

    def read(self, decoder_input: Int[Tensor, "B T"], memory: Memory) -> tuple[Known, Float[Tensor, "B T N S"]]:
        """As ``step``, for all tokens at once, none of which sees a later one."""
        mask = causal_mask(decoder_input.shape[1], decoder_input.device)
        known, head_weights, _ = self._read_more(decoder_input, self.init_state(memory), mask)
        return known, head_weights

    def log_probs_by_position(
        self, decoder_input: Int[Tensor, "B T"], labels: Int[Tensor, "B T"], memory: Memory
    ) -> Float[Tensor, "B T S"]:
        """Give log p of each label were all weight of the last layer on one position; see ``Decoder``."""
        state, mask = self.init_state(memory), causal_mask(decoder_input.shape[1], decoder_input.device)
        embedded, x = self._embed(decoder_input, state)
        for number in range(len(self.layers) - 1):
            x = self._layer(number, x, state, mask).x
        last = len(self.layers) - 1
        layer = self.layers[last]
        x, _ = layer.read_target(x, _past(last, state), mask)
        contexts = layer.attention.contexts(state[f"layer{last}.values"])
        num_positions = contexts.shape[1]
        on_each = torch.eye(num_positions, device=contexts.device).expand(len(contexts), -1, -1)
        found = []
        for step in range(decoder_input.shape[1]):
            features = self.norm(layer.add(x[:, step, None, :].expand_as(contexts), contexts))
            read = embedded[:, step, None, :].expand(-1, num_positions, -1)
            logits = self.output(Known(features, contexts, read, on_each, memory.copy_ids))
            found.append(label_log_probs(logits, labels[:, step, None].expand(-1, num_positions)))
        return torch.stack(found, 1)

    def _read_more(
        self, tokens: Int[Tensor, "B T"], state: DecoderState, past_mask: Bool[Tensor, "T P"]
    ) -> tuple[Known, Float[Tensor, "B T N S"], DecoderState]:
        """Read T more tokens: what is then known, weights of all layers, state."""
        embedded, x = self._embed(tokens, state)
        state = dict(state)
        of_layers = []
        for number in range(len(self.layers)):
            x, context, head_weights, past = self._layer(number, x, state, past_mask)
            of_layers.append(head_weights.transpose(1, 2))
            state[f"layer{number}.past_keys"], state[f"layer{number}.past_values"] = past
        state["position"] = state["position"] + tokens.shape[1]
        features = self.norm(x)
        known = Known(features, context, embedded, of_layers[-1].mean(dim=2), state["copy_ids"])
        return known, torch.cat(of_layers, dim=2), state

    def _embed(
        self, tokens: Int[Tensor, "B T"], state: DecoderState
    ) -> tuple[Float[Tensor, "B T H"], Float[Tensor, "B T H"]]:
        """The embedded tokens, and what the first layer reads."""
        embedded = self.embedding(tokens)
        positions = state["position"][:, None] + torch.arange(tokens.shape[1], device=tokens.device)
        return embedded, self.dropout(embedded * self.size**0.5 + sinusoids(positions, self.size, embedded.dtype))

    def _layer(
        self, number: int, x: Float[Tensor, "B T H"], state: DecoderState, past_mask: Bool[Tensor, "T P"]
    ) -> TransformerLayerOutput:
        """Let one layer read."""
        keys, values = state[f"layer{number}.keys"], state[f"layer{number}.values"]
        output: TransformerLayerOutput = self.layers[number](
            x, _past(number, state), past_mask, keys, values, state["mask"]
        )
        return output


def _past(number: int, state: DecoderState) -> Cache:
    return Cache(state[f"layer{number}.past_keys"], state[f"layer{number}.past_values"])
