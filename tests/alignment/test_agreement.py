import numpy as np

from seq2see.alignment import Alignment, agreed_links
from seq2see.alignment.agreement import joint_weights

FORWARD = Alignment(["a", "b"], ["x", "y", "z"], np.array([[0.64, 0.36], [0.5, 0.5], [0.0, 1.0]], dtype=np.float32))
BACKWARD = Alignment(["x", "y", "z"], ["a", "b"], np.array([[1.0, 0.0, 0.0], [0.25, 0.5, 0.25]], dtype=np.float32))


def test_hand_worked_joint_weights() -> None:
    expected = [[0.8, 0.3], [0.0, 0.5], [0.0, 0.5]]
    np.testing.assert_allclose(joint_weights(FORWARD, BACKWARD), expected, atol=1e-6)


def test_words_that_are_each_other_s_best_are_linked() -> None:
    assert agreed_links(FORWARD, BACKWARD) == {(0, 0), (1, 1)}  # of two equal ones the first


def test_all_above_a_threshold_are_linked() -> None:
    assert agreed_links(FORWARD, BACKWARD, 0.4) == {(0, 0), (1, 1), (1, 2)}


def test_nothing_is_linked_with_nothing() -> None:
    assert agreed_links(Alignment.empty(), Alignment.empty()) == set()
    none = Alignment(["a"], ["x"], np.zeros((1, 1), dtype=np.float32))
    assert agreed_links(none, none) == set()
