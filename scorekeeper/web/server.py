"""The server process: uvicorn, whose end does not wait for the streams that are open."""

from __future__ import annotations

import socket

import uvicorn

from .hub import Hub


class Server(uvicorn.Server):
    """Serves until it is told to stop; then the streams end at once, and what is being answered is answered."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the streams before the connections are waited for: a stream would never end by itself."""
        self._hub.close()
        await super().shutdown(sockets)
