"""The service's settings in a data folder of this test process, with cheap passwords and a local cache."""

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="rumrunner-test-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["RUMRUNNER_DATA"] = _data
os.mkdir(os.path.join(_data, "static"))  # or every client warns that there is none
# The same tests whatever was built here; tests/engines/test_compiled.py has those of the compiled engines.
os.environ.setdefault("RUMRUNNER_ENGINES", "pure")
# A browser test leaves its event loop in the thread; the tests after it on the same process talk to the database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

from ladder.settings import *  # noqa: E402, F403

INSTALLED_APPS = [*INSTALLED_APPS, "allauth.socialaccount.providers.openid_connect"]  # noqa: F405 - no server is set
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CACHES = {"default": {"BACKEND": "tests.local_cache.LocalCache"}}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# A page in a browser and its test use one connection from two threads. What keeps its statements has no lock: two that
# make the same one at once leave it there twice, and from then on clearing the second away fails. So none is cleared.
_database = DATABASES["default"]  # noqa: F405
if "sqlite" in _database["ENGINE"]:
    _database["OPTIONS"]["cached_statements"] = 100_000
elif template := os.environ.get("RUMRUNNER_TEST_TEMPLATE"):
    _database["TEST"] = {"TEMPLATE": template}  # a database that has all tables already
