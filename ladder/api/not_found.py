"""Paths that lead nowhere."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView


class Nowhere(APIView):
    """Every path of the API that leads nowhere."""

    throttle_classes = ()
    permission_classes = ()
    authentication_classes = ()
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        path = request.path
        hint = "" if path.endswith("/") else f" Paths end with a slash: try {path}/."
        raise NotFound(f"There is nothing at {path[:200]}.{hint} See /api/docs/.")
