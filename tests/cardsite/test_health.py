import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder


def test_a_live_server_says_so_and_asks_no_database(client, django_assert_num_queries, db):
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "live"})
    assert "no-store" in answer["Cache-Control"]


def test_a_server_with_every_migration_is_ready(client, db):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})


def test_a_server_that_lacks_a_migration_is_not_ready(client, db):
    MigrationRecorder.Migration.objects.filter(app="games").order_by("-id")[:1].get().delete()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer["Retry-After"] == "2"
    assert answer.json()["detail"] == "1 migrations are not applied."


def test_a_server_without_its_database_is_live_and_not_ready(client, db, monkeypatch):
    def lost(*_):
        raise OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", lost)
        assert client.get("/healthz").status_code == 200
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_only_asked(client, db, path):
    assert client.post(path).status_code == 405
