"""How the OpenAPI description is made."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string", "description": "For programs; one of a fixed set."},
                "message": {"type": "string", "description": "For people: the offending value, and what to do."},
                "fields": {
                    "type": "object",
                    "additionalProperties": {"type": "array", "items": {"type": "string"}},
                    "description": "What is wrong with each field.",
                },
            },
        }
    },
}
METHODS = ("get", "post", "put", "patch", "delete")


class Described(AutoSchema):
    """Operations grouped by the first word of their path and named after the whole of it."""

    def get_operation_id(self) -> str:
        words = self.path.removeprefix("/api/v1/").strip("/").replace("{", "").replace("}", "").split("/")
        return "_".join([self.method.lower(), *words])

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").partition("/")[0]]


def describe_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every operation may fail, in one shape."""
    result["components"].setdefault("schemas", {})["Error"] = ERROR
    answer = {
        "description": "The request failed; the body says why.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for path in result["paths"].values():
        for method in METHODS:
            if method in path:
                path[method]["responses"]["default"] = answer
    return result


def asked(name: str, kind: Any, meaning: str, **more: Any) -> OpenApiParameter:
    """A parameter after the question mark."""
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=meaning, **more)


def counted(name: str, meaning: str, least: int, most: int) -> OpenApiParameter:
    """A whole number after the question mark."""
    return asked(name, {"type": "integer", "minimum": least, "maximum": most}, meaning)
