"""What `manage.py serve` leaves for the processes that it starts."""

import os
from contextlib import nullcontext

import pytest
from django.core.management import call_command

from games.management.commands import serve


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "expected"), [("", "http://localhost:9000"), ("https://cards.example.org", None)]
)
def test_the_worker_learns_where_links_in_mail_lead(settings, monkeypatch, given, expected):
    monkeypatch.setenv("SITE_URL", given)
    settings.SITE_URL, settings.EMBEDDED_DATABASE = given, None
    seen = []
    monkeypatch.setattr(serve, "serve", lambda *_: seen.append(("server", os.environ["SITE_URL"])))

    def worker():
        seen.append(("worker", os.environ["SITE_URL"]))
        return nullcontext()

    monkeypatch.setattr(serve, "worker_running", worker)
    monkeypatch.setattr(serve.connections, "close_all", lambda: None)
    call_command("serve", port=9000, verbosity=1)
    assert seen == [("worker", expected or given), ("server", expected or given)]
