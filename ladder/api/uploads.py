"""Reads an uploaded file: refuses a hostile name as it was sent, and more bytes than an upload may have."""

from __future__ import annotations

from typing import IO, Any, cast

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler
from django.http.multipartparser import MultiPartParser as DjangoMultiPartParser
from django.http.multipartparser import MultiPartParserError
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser, DataAndFiles

from ladder.api.wire import TooLarge

LONGEST_NAME = 200


class UnsafeName(APIException):
    """A file name that names a place, or hides what it is."""

    status_code = 400
    default_code = "unsafe_name"


class _PlainNames(DjangoMultiPartParser):
    def sanitize_file_name(self, file_name: str) -> str:
        is_plain = file_name.isprintable() and not set("/\\") & set(file_name) and file_name not in {"", ".", ".."}
        if not is_plain or len(file_name) > LONGEST_NAME:
            raise UnsafeName(
                f"The file name {file_name[:60]!r} is refused: send 1 to {LONGEST_NAME} printable characters, no path."
            )
        return file_name


class _Counting(FileUploadHandler):
    """Stops a file at the limit while it is read; what came before is thrown away with its temporary file."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.seen = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.seen += len(raw_data)
        if self.seen > settings.UPLOAD_MIB * settings.MEBIBYTE:
            raise TooLarge(f"The file is larger than {settings.UPLOAD_MIB} MiB.")
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


class UploadParser(BaseParser):
    """A form with a file."""

    media_type = "multipart/form-data"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None
    ) -> DataAndFiles[Any, Any]:
        request = parser_context["request"]
        meta = request.META | {"CONTENT_TYPE": media_type}
        handlers = [_Counting(request._request), *request.upload_handlers]
        try:
            return DataAndFiles(*_PlainNames(meta, cast(Any, stream), handlers, settings.DEFAULT_CHARSET).parse())
        except MultiPartParserError as problem:
            raise ParseError(f"The form can't be read: {problem}") from None
        except APIException:
            _close(handlers)
            raise


def _close(handlers: list[FileUploadHandler]) -> None:
    """A half-read file is removed now, not when somebody forgets it."""
    for handler in handlers:
        if (half := getattr(handler, "file", None)) is not None:
            half.close()
