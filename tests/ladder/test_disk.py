"""When uploads are refused because there is no room left."""

from ladder import disk


def test_the_disk_is_full_when_the_database_takes_its_share(settings, monkeypatch):
    monkeypatch.setattr(disk, "disk_used_bytes", lambda: 3 * disk.GIBIBYTE)
    disk.cache.clear()
    settings.DISK_GIB = 4
    assert not disk.is_disk_full()
    settings.DISK_GIB = 3
    assert disk.is_disk_full()
