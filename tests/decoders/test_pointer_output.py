import torch

from seq2see.data.batches import make_batch
from seq2see.decoders import Known, LinearOutput, PointerOutput
from tests.small import small_translator


def test_hand_worked_mixture() -> None:
    pointer = PointerOutput(
        output=LinearOutput(feature_size=1, vocab_size=3, dropout=0.0), feature_size=1, context_size=1, embedding_size=1
    )
    with torch.no_grad():
        for parameter in pointer.parameters():
            parameter.zero_()
        pointer.switch.bias.fill_(torch.tensor(0.6).logit())
    nothing = torch.zeros(1, 1)
    weights = torch.tensor([[0.5, 0.25, 0.125, 0.125]])
    log_probs = pointer(Known(nothing, nothing, nothing, weights, torch.tensor([[4, 1, 4, 2]])))
    # 0.6 over three tokens evenly, 0.4 by the weights; token 3 does not occur, token 4 stands there twice
    expected = torch.tensor([[0.2, 0.2 + 0.1, 0.2 + 0.05, 0.0, 0.25]])
    torch.testing.assert_close(log_probs.exp(), expected)
    assert log_probs[0, 3] == -torch.inf


def test_what_is_too_improbable_for_a_number_is_still_possible() -> None:
    output = LinearOutput(feature_size=1, vocab_size=3, dropout=0.0)
    pointer = PointerOutput(output=output, feature_size=1, context_size=1, embedding_size=1)
    with torch.no_grad():
        output.output_projection.bias.copy_(torch.tensor([0.0, 300.0, -300.0]))
    nothing = torch.zeros(1, 1)
    log_probs = pointer(Known(nothing, nothing, nothing, torch.ones(1, 1), torch.tensor([[1]])))
    assert log_probs.isfinite().all()


def test_unknown_tokens_of_the_source_can_be_produced_and_are_learnt() -> None:
    """Ω is in no vocabulary; a pair that has it on both sides gives the copy a gradient, and search can write it."""
    translator = small_translator("model.decoder.copies=true", spread=1.0)
    examples = translator.tokenizers.encode_pairs(["aΩbΩ"], ["Ωa"])
    size = translator.tokenizers.target.vocab_size
    assert examples[0].target[0] == size
    assert examples[0].copy_ids[1] == examples[0].copy_ids[3] == size
    batch = make_batch(examples)
    output = translator.model(batch.source, batch.decoder_input)
    assert output.logits.shape[-1] == size + 1
    torch.testing.assert_close(output.logits.exp().sum(dim=-1), torch.ones(1, 3))
    output.logits[0, 0, size].backward()
    switch = translator.model.decoder.get_submodule("output.switch")
    with torch.no_grad():
        switch.get_parameter("bias").fill_(-30.0)  # copy whatever is attended to
    (translation,) = translator.translate(["Ω"])
    assert set(translation.text) == {"Ω"}
    assert "".join(translation.tokens) == translation.text


def test_an_id_outside_the_vocabulary_is_read_as_unknown() -> None:
    embedding = small_translator().model.decoder.embedding
    assert torch.equal(embedding(torch.tensor([1000])), embedding(torch.tensor([1])))
