from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from ladder.operations.headers import PlainRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")

application = get_wsgi_application()
application.request_class = PlainRequest
