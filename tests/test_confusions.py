from seq2see.confusions import Confusion, confusions


def test_hand_worked_edits() -> None:
    outputs = ["abd", "xb", "q", ""]
    references = [["abc"], ["ab"], ["qq", "zz"], ["c"]]
    found = confusions([list(text) for text in outputs], [[list(text) for text in texts] for texts in references])
    assert set(found) == {
        Confusion("c", "d", 1),
        Confusion("a", "x", 1),
        Confusion("q", "", 1),
        Confusion("c", "", 1),
    }


def test_the_most_frequent_come_first_and_what_is_too_much_has_nothing_wanted() -> None:
    assert confusions([["a", "b"], ["a"], ["a"]], [[["a"]], [["c"]], [["c"]]]) == [
        Confusion("c", "a", 2),
        Confusion("", "b", 1),
    ]
