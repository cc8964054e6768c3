"""The one form that every refusal has."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from seq2see.serve.bodies import ONE, SEVERAL


class FaultBody(BaseModel):
    """Why a request was refused."""

    code: str = Field(description="a word for programs, such as too_many_texts")
    message: str = Field(description="a sentence for people")
    limit: int | float | None = Field(None, description="the limit that was passed, where there is one")


class ErrorBody(BaseModel):
    """The body of every answer that is not 2xx."""

    error: FaultBody


class Fault(Exception):
    """A request that is refused.

    Args:
        status: HTTP status.
        code: A word for programs.
        message: A sentence for people.
        limit: The limit that was passed, where there is one.
    """

    def __init__(self, status: int, code: str, message: str, limit: float | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.limit = status, code, message, limit
        self.headers = {"Retry-After": "1"} if status in (429, 503) else {}

    def response(self) -> JSONResponse:
        """The answer."""
        body = ErrorBody(error=FaultBody(code=self.code, message=self.message, limit=self.limit))
        return JSONResponse(body.model_dump(), status_code=self.status, headers=self.headers)


STATUSES = (400, 401, 404, 408, 413, 422, 429, 503)
RESPONSES: dict[int | str, dict[str, Any]] = {status: {"model": ErrorBody} for status in STATUSES}
"""For the OpenAPI pages."""

MOST_TOLD = 5
TAGS = (ONE, SEVERAL)
CODES = {400: "bad_request", 404: "not_found", 405: "method_not_allowed"}


def handle_faults(app: FastAPI) -> None:
    """Give every refusal the one form; what was sent is not repeated in it."""

    @app.exception_handler(Fault)
    async def _fault(_: Request, fault: Fault) -> JSONResponse:
        return fault.response()

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        details = error.errors()
        status = 400 if any(detail["type"] == "json_invalid" for detail in details) else 422
        told = "; ".join(f"{_place(detail['loc'])}: {_told(detail)}" for detail in details[:MOST_TOLD])
        code = "not_json" if status == 400 else "invalid"
        return Fault(status, code, told).response()

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        code = CODES.get(error.status_code, "refused")
        fault = Fault(error.status_code, code, str(error.detail))
        fault.headers |= error.headers or {}
        return fault.response()


def _place(location: tuple[int | str, ...]) -> str:
    if len(location) == 2 and isinstance(location[1], int):  # a character of what is not JSON
        return "body"
    return ".".join(str(part) for part in location if part not in ("body", *TAGS)) or "body"


def _told(detail: dict[str, Any]) -> str:
    if detail["type"] == "json_invalid":
        return f"is not JSON: {detail['ctx']['error']}, at character {detail['loc'][-1]}"
    return str(detail["msg"]).removeprefix("Value error, ")
