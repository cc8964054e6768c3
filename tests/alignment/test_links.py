import pytest

from seq2see.alignment import alignment_errors, parse_gold, symmetrise
from seq2see.errors import DataError


def test_hand_worked_error_rate() -> None:
    gold = parse_gold("1-1 2-2 3p2 3?3", first=1)
    assert gold.sure == {(0, 0), (1, 1)}
    assert gold.possible == {(0, 0), (1, 1), (2, 1), (2, 2)}
    errors = alignment_errors([({(0, 0), (2, 1), (0, 2)}, gold)])
    # of 3 links 2 are possible and 1 sure; of 2 sure ones 1 was found
    assert errors.precision == pytest.approx(200 / 3)
    assert errors.recall == 50.0
    assert errors.aer == pytest.approx(100 * (1 - (1 + 2) / (3 + 2)))


def test_gold_alone_has_no_error() -> None:
    gold = parse_gold("0-0 1-2 2p1")
    assert alignment_errors([(set(gold.sure), gold)]).aer == 0.0


@pytest.mark.parametrize(("line", "fault"), [("1-1 1:2", "'1:2' is no link"), ("0-1", "words count from 1")])
def test_what_is_no_link_is_named(line: str, fault: str) -> None:
    with pytest.raises(DataError, match=rf"gold\.txt: line 3: .*{fault}"):
        parse_gold(line, first=1, place="gold.txt: line 3")


def test_hand_worked_symmetrisations() -> None:
    forward, backward = {(0, 0), (1, 1), (2, 1), (4, 4)}, {(0, 0), (1, 1), (1, 2), (3, 3)}
    assert symmetrise(forward, backward, "intersection") == {(0, 0), (1, 1)}
    assert symmetrise(forward, backward, "union") == forward | backward
    # (2, 1) and (1, 2) are beside (1, 1) and each brings a word without a link; from (1, 2) nothing follows, and from
    # (2, 1) neither; (3, 3) is beside none but diagonal to none linked: it comes last, as (4, 4) does
    assert symmetrise(forward, backward, "grow-diag-final-and") == forward | backward
    assert symmetrise({(0, 0), (0, 5)}, {(0, 0)}, "grow-diag-final-and") == {(0, 0)}
