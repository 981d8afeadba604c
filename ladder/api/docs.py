"""The OpenAPI description, and the page that shows it."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

_describing = Lock()  # drf-spectacular fails when two threads ask it at once for the first time


def _described() -> dict[str, Any]:
    with _describing:
        return _description()


@cache
def _description() -> dict[str, Any]:
    described: dict[str, Any] = SpectacularAPIView.generator_class().get_schema(request=None, public=True)
    return described


class SchemaView(SpectacularAPIView):
    """The description of this API in OpenAPI 3 (YAML, or JSON when asked for); made once a process."""

    def _get_schema_response(self, request: Request) -> Response:
        name = self._get_filename(request, None)  # type: ignore[no-untyped-call]  # untyped in drf-spectacular
        return Response(_described(), headers={"Content-Disposition": f'inline; filename="{name}"'})


# Swagger writes style attributes; scripts stay our own files.
@method_decorator(csp_update({"style-src": [SELF, UNSAFE_INLINE]}), name="dispatch")
class SwaggerView(SpectacularSwaggerSplitView):
    """The same for people, to try out."""

    throttle_classes = ()
    url_name = "api:schema"
