import math

import torch

from seq2see.posterior import posterior_weights


def test_hand_worked_bayes_rule() -> None:
    weights = torch.tensor([[[0.5, 0.25, 0.25, 0.0]]])
    log_probs = torch.tensor([[[math.log(0.1), math.log(0.6), math.log(0.2), 0.0]]])
    mask = torch.tensor([[[True, True, True, False]]])
    # joint 0.05, 0.15, 0.05; their sum is 0.25
    torch.testing.assert_close(posterior_weights(weights, log_probs, mask), torch.tensor([[[0.2, 0.6, 0.2, 0.0]]]))


def test_what_nothing_looked_at_can_still_explain_a_token() -> None:
    weights = torch.tensor([[[1.0, 0.0]]])
    log_probs = torch.tensor([[[-200.0, -1.0]]])
    posterior = posterior_weights(weights, log_probs, torch.ones(1, 1, 2, dtype=torch.bool))
    torch.testing.assert_close(posterior, torch.tensor([[[0.0, 1.0]]]))
