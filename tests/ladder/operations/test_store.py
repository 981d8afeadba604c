"""Records and bundles in a real S3 server on loopback: moved there and back, read from there, lost there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from io import StringIO
from types import SimpleNamespace

import boto3
import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.utils.timezone import now
from moto.server import ThreadedMotoServer
from storages.backends.s3 import S3Storage

from ladder import files
from ladder.files import FileKind, FileLost, FileUnavailable, fetch, fetch_by_link, name_of, put, store_options
from ladder.matches.models import Match, StoredRecord
from ladder.matches.playing import play_claim
from ladder.matches.records import NoRecord, stored_record
from ladder.operations import moving
from ladder.operations.moving import SHELVES, FileHome, drop_orphans_in, fill_store, left_to_move, renew_links
from ladder.submissions.bundles import stored, unpacked
from ladder.submissions.models import Bundle
from tests.ladder.cast import enrol, make_ladder, play, queue

pytestmark = pytest.mark.django_db
BUCKET = "cellar"
ADDRESS = "s3+http://ann:s3cret@{server}/cellar/rum?region=us-east-1"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a store that is really asked over HTTP."""
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"{host}:{port}"
    running.stop()


@pytest.fixture(scope="module")
def connected(server: str) -> S3Storage:
    """One connection for all tests: it is dear to make."""
    return S3Storage(**store_options(ADDRESS.format(server=server)))


@pytest.fixture
def bucket(server: str, connected: S3Storage, settings, monkeypatch) -> Iterator[SimpleNamespace]:
    """An empty bucket that the service is told of."""
    cache.delete(moving.AWAY)
    monkeypatch.setattr(moving, "pool", lambda: SimpleNamespace(map=map))  # in the transaction of the test
    address = ADDRESS.format(server=server)
    login = {"aws_access_key_id": "ann", "aws_secret_access_key": "s3cret", "region_name": "us-east-1"}
    client = boto3.client("s3", endpoint_url=f"http://{server}", **login)
    client.create_bucket(Bucket=BUCKET)
    use(settings, address)
    storages._storages[files.STORE] = connected
    bucket = SimpleNamespace(client=client, address=address)
    yield bucket
    for name in names(bucket):
        client.delete_object(Bucket=BUCKET, Key=name)


def use(settings, address: str) -> None:
    backend = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": store_options(address)}
    settings.STORAGES = {**settings.STORAGES, files.STORE: backend}


def names(bucket: SimpleNamespace) -> set[str]:
    listed = bucket.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
    return {each["Key"] for each in listed}


@pytest.fixture
def match() -> Match:
    ladder = make_ladder()
    return play(ladder, *enrol(ladder, 2), ranks=(1, 2))


def move(to: str) -> str:
    told = StringIO()
    call_command("move_files", "--to", to, stdout=told)
    return told.getvalue()


def test_a_beat_puts_everything_to_rest_under_its_digest_and_reads_it_from_there(bucket, match):
    before, digest = stored_record(match), Bundle.objects.first().digest
    packed = bytes(StoredRecord.objects.get().content)
    assert fill_store() == 3, "a record and two bundles"
    assert not any(bytes(row.content) for row in [*Bundle.objects.all(), StoredRecord.objects.get()])
    assert f"rum/{name_of(FileKind.RECORD, sha256(packed).hexdigest())}" in names(bucket)
    assert stored_record(match) == before
    assert sha256(stored(digest)[0]).hexdigest() == digest
    assert fill_store() == 0, "nothing is left"


def test_the_way_back_leaves_every_row_as_it_was(bucket, match, settings):
    def rows():
        return sorted(bytes(row.content) for row in [*Bundle.objects.all(), *StoredRecord.objects.all()])

    before = rows()
    assert "All 3 files are in the store." in move("store")
    with pytest.raises(CommandError, match="RUMRUNNER_STORE_WRITES=false"):
        move("database")
    settings.STORE_WRITES = False
    assert "All 3 files are in the database." in move("database")
    assert rows() == before
    assert left_to_move(FileHome.DATABASE) == 0
    assert fill_store() == 0, "the store is only read"


def test_a_move_that_was_cut_short_goes_on_where_it_stopped(bucket, match, monkeypatch):
    def fails(kind, content):
        if kind == FileKind.RECORD:
            raise FileUnavailable("The store is away.")
        return put(kind, content)

    with monkeypatch.context() as patched:
        patched.setattr(moving, "put", fails)
        with pytest.raises(CommandError, match=r"2 files were moved; run the same command again"):
            move("store")
    assert stored_record(match)
    assert "1 of 1 files moved" in move("store")


def test_a_row_that_changed_meanwhile_is_left_alone(bucket, match, monkeypatch):
    def changes_first(kind, content):
        StoredRecord.objects.update(file="another's")
        return put(kind, content)

    Bundle.objects.all().update(file="moved")
    monkeypatch.setattr(moving, "put", changes_first)
    assert fill_store() == 0
    assert bytes(StoredRecord.objects.get().content)


def test_what_is_missing_or_altered_is_told_and_is_no_traceback(bucket, match, client):
    move("store")
    (name,) = [name for name in names(bucket) if "/records/" in name]
    bucket.client.put_object(Bucket=BUCKET, Key=name, Body=b"forged")
    with pytest.raises(NoRecord, match="other bytes"):
        stored_record(match)
    bucket.client.delete_object(Bucket=BUCKET, Key=name)
    answer = client.get(f"/api/v1/matches/{match.pk}/record/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "file_lost")
    assert client.get(f"/matches/{match.pk}/").status_code == 200
    assert client.get(f"/api/v1/matches/{match.pk}/verify/").status_code == 503


def test_a_file_that_is_lost_does_not_stop_the_others_from_coming_back(bucket, match, settings):
    move("store")
    settings.STORE_WRITES = False
    (name,) = [name for name in names(bucket) if "/records/" in name]
    bucket.client.delete_object(Bucket=BUCKET, Key=name)
    with pytest.raises(CommandError, match="1 files are lost"):
        move("database")
    assert left_to_move(FileHome.DATABASE) == 1


def test_a_store_that_is_away_holds_up_nobody(bucket, match, settings):
    use(settings, "s3+http://ann:s3cret@127.0.0.1:9/cellar")
    assert fill_store() == 0
    assert stored_record(match), "it is still in its row"
    with pytest.raises(CommandError, match="does not respond"):
        move("store")
    StoredRecord.objects.update(content=b"", file="f" * 64)
    with pytest.raises(NoRecord, match="does not respond"):
        stored_record(match)


def test_without_the_setting_a_file_outside_is_named_as_that(match):
    StoredRecord.objects.update(content=b"", file="f" * 64)
    with pytest.raises(NoRecord, match="RUMRUNNER_STORE_URL is not set"):
        stored_record(match)
    with pytest.raises(CommandError, match="There is no store"):
        move("store")


def test_a_worker_that_can_t_have_a_bundle_reports_its_host_and_not_the_bot(bucket, settings, tmp_path):
    from ladder.matches import leases

    settings.DATA = tmp_path
    ladder = make_ladder()
    match = queue(ladder, *enrol(ladder, 2))
    move("store")
    for name in names(bucket):
        bucket.client.delete_object(Bucket=BUCKET, Key=name)
    assert not play_claim(leases.claim_match(worker="host/1"))
    assert "FileLost" in match.failed_attempts.get().detail


def test_a_worker_fetches_what_is_in_the_store(bucket, settings, tmp_path):
    settings.DATA = tmp_path
    (version,) = enrol(make_ladder(), 1)
    move("store")
    assert (unpacked(version.bundle_id) / "main.py").is_file()


def test_a_link_serves_one_bundle_and_is_renewed_in_time(bucket, match):
    move("store")
    first, second = Bundle.objects.order_by("digest")
    assert sha256(fetch_by_link(first.link, first.digest)).hexdigest() == first.digest
    with pytest.raises(FileLost):
        fetch_by_link(first.link, second.digest)
    with pytest.raises(FileUnavailable):
        fetch_by_link(first.link.replace(first.digest[2:], second.digest[2:])[:-3], second.digest + "x")
    with pytest.raises(FileUnavailable, match="no link"):
        fetch_by_link("file:///etc/passwd", first.digest)
    assert renew_links() == 0
    Bundle.objects.filter(pk=first.pk).update(linked_at=now() - timedelta(days=2, hours=1), link="old")
    assert renew_links() == 1
    assert "Signature" in Bundle.objects.get(pk=first.pk).link


def test_files_that_no_row_names_go_after_a_day(bucket, match, monkeypatch):
    move("store")
    orphan, kept = put(FileKind.RECORD, b"of a match that is gone"), StoredRecord.objects.get().file
    shelf = SHELVES[1]
    assert drop_orphans_in(shelf, orphan[:2]) == 0, "somebody may be about to name it"
    monkeypatch.setattr(moving, "ORPHAN_AGE", timedelta(seconds=-5))
    assert {drop_orphans_in(shelf, orphan[:2]), drop_orphans_in(shelf, kept[:2])} <= {0, 1}
    with pytest.raises(FileLost):
        fetch(FileKind.RECORD, orphan)
    assert fetch(FileKind.RECORD, kept)


def test_a_backup_is_whole_wherever_files_are(bucket, match, tmp_path, settings):
    before = stored_record(match)
    move("store")
    call_command("backup", str(tmp_path / "whole.zip"), stdout=StringIO())
    call_command("backup", "--without-files", str(tmp_path / "rows.zip"), stdout=StringIO())
    for backup, is_whole in (("rows.zip", False), ("whole.zip", True)):
        call_command("restore", "--force", str(tmp_path / backup), stdout=StringIO())
        assert stored_record(Match.objects.get(pk=match.pk)) == before
        assert (left_to_move(FileHome.STORE) == 3) is is_whole
    move("store")
    (name,) = [name for name in names(bucket) if "/records/" in name]
    bucket.client.delete_object(Bucket=BUCKET, Key=name)
    with pytest.raises(CommandError, match="lost 1 files"):
        call_command("backup", str(tmp_path / "rest.zip"), stdout=StringIO())
    assert (tmp_path / "rest.zip").is_file()
    use(settings, "s3+http://ann:s3cret@127.0.0.1:9/cellar")
    with pytest.raises(CommandError, match="Nothing was written"):
        call_command("backup", str(tmp_path / "none.zip"), stdout=StringIO())
    assert sorted(os.listdir(tmp_path)) == ["rest.zip", "rows.zip", "whole.zip"]


@pytest.mark.parametrize("address", ["s3://ann:s3cret@host", "s3:///bucket", "s3://host/"])
def test_an_address_without_host_or_bucket_is_refused_and_its_secret_not_shown(address):
    with pytest.raises(ImproperlyConfigured, match="host and a bucket") as refused:
        store_options(address)
    assert "s3cret" not in str(refused.value)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match="make options"):
        store_options("s3://host/bucket")
