"""Whatever fits, or does not fit, the OpenAPI description is answered as it says."""

from typing import Any

import pytest

from seq2see.serve import Limits, Served, create_app
from tests.small import small_translator

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
checks = pytest.importorskip("schemathesis.specs.openapi.checks")
LIMITS = Limits(max_input_tokens=50, max_texts=8, max_body_bytes=20_000)
api = schemathesis.openapi.from_asgi("/openapi.json", create_app([Served("small", small_translator())], limits=LIMITS))


@api.parametrize()  # type: ignore[untyped-decorator]
def test_no_breach_and_no_fault_of_ours(case: Any) -> None:
    # that prefix and prefix_ids exclude each other, say, is not in the description
    case.call_and_validate(excluded_checks=[checks.positive_data_acceptance])
