"""What stands before every request: size, token, headers, counting."""

import asyncio
import hmac
import logging
import time
from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seq2see.serve.faults import Fault
from seq2see.serve.limits import Limits
from seq2see.serve.numbers import Numbers

OPEN_PATHS = ("/healthz", "/readyz")
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Refuses bodies that are too large and requests without a token, adds headers, and counts.

    Args:
        app: What answers.
        limits: Of the server.
        tokens: Of which a request must bring one; without any, all may ask.
        numbers: What is counted.
    """

    def __init__(self, app: ASGIApp, *, limits: Limits, tokens: Sequence[str], numbers: Numbers) -> None:
        self.app, self.limits, self.tokens, self.numbers = app, limits, tokens, numbers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, begun = time.monotonic(), 500, False

        async def send_with_headers(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                own = {name.decode().lower() for name, _ in message["headers"]}
                more = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name not in own]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        try:
            self._check_token(scope)
            body = await self._body(scope, receive)
            await self.app(scope, _after(body, receive), send_with_headers)
        except Fault as fault:
            await fault.response()(scope, receive, send_with_headers)
        except Exception:
            logging.getLogger("uvicorn.error").exception("a request failed")
            if begun:
                raise
            ours = Fault(500, "fault", "a fault of this server, which its log tells")
            await ours.response()(scope, receive, send_with_headers)
        finally:
            route = scope.get("route")
            path = getattr(route, "path", "other")
            self.numbers.requests.labels(path, str(status)).inc()
            self.numbers.seconds.labels(path).observe(time.monotonic() - start)

    def _check_token(self, scope: Scope) -> None:
        """Refuse a request that needs a token and has none.

        Raises:
            Fault: 401.
        """
        if not self.tokens or scope["path"] in OPEN_PATHS or not scope["path"].startswith(("/v1/", "/metrics")):
            return
        given = dict(scope["headers"]).get(b"authorization", b"")
        scheme, _, token = given.partition(b" ")
        # all are compared, each in constant time
        matches = [hmac.compare_digest(token, known.encode()) for known in self.tokens]
        if scheme.lower() != b"bearer" or not any(matches):
            raise Fault(401, "unauthorised", "wanted the header 'Authorization: Bearer TOKEN' with a token it knows")

    async def _body(self, scope: Scope, receive: Receive) -> Message:
        """The whole body of a request, as one message.

        Raises:
            Fault: It is too large (413), or does not come in time (408).
        """
        limit, seconds = self.limits.max_body_bytes, self.limits.timeout
        length = dict(scope["headers"]).get(b"content-length", b"0")
        too_large = Fault(413, "body_too_large", f"the body is larger than {limit:,} bytes, the limit", limit)
        if length.isdigit() and int(length) > limit:
            raise too_large
        body, more = b"", True
        try:
            async with asyncio.timeout(seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return message
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > limit:
                        raise too_large
        except TimeoutError:
            raise Fault(408, "slow_body", f"the body was not there in {seconds:g} s, the limit", seconds) from None
        return {"type": "http.request", "body": body, "more_body": False}


def _after(first: Message, receive: Receive) -> Receive:
    """Receive a message that has been received already, and then the others."""
    waiting = [first]

    async def receive_next() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_next
