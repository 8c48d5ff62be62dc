"""Where links in mail lead: what the settings say, and what is said of settings that will not do."""

import pytest
from django.core.checks import run_checks

from cardsite.site_url import served_url, site_url


def found(*, deploy=False):
    return [
        one.id for one in run_checks(include_deployment_checks=deploy) if str(one.id).startswith("cardsite.")
    ]


@pytest.mark.parametrize(
    ("url", "https", "expected"),
    [
        ("", False, []),
        ("", True, ["cardsite.E001"]),
        ("https://cards.example.org", True, []),
        ("https://cards.example.org:8443", True, []),
        ("http://cards.example.org", False, []),
        ("http://[::1]:8000", False, []),
        ("http://cards.example.org", True, ["cardsite.E002"]),
        ("cards.example.org", False, ["cardsite.E002"]),
        ("https://cards.example.org/play", False, ["cardsite.E002"]),
        ("https://cards.example.org?x", False, ["cardsite.E002"]),
        ("https://a@cards.example.org", False, ["cardsite.E002"]),
        ("https://cards.example.org:port", False, ["cardsite.E002"]),
        ("https://", False, ["cardsite.E002"]),
        ("javascript://cards.example.org", False, ["cardsite.E002"]),
    ],
)
def test_what_is_no_address_of_a_site_is_refused_and_none_where_https_is_on(settings, url, https, expected):
    settings.SITE_URL, settings.HTTPS = url, https
    assert found() == expected


@pytest.mark.parametrize(("url", "expected"), [("", ["cardsite.W001"]), ("http://cards.example.org", [])])
def test_a_deployment_without_is_warned(settings, url, expected):
    settings.SITE_URL, settings.HTTPS = url, False
    assert found(deploy=True) == expected


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        (["localhost"], "http://localhost:9000"),
        (["cards.example.org", "localhost"], "http://cards.example.org:9000"),
        (["*", ".example.org", "localhost"], "http://localhost:9000"),
    ],
)
def test_without_the_setting_links_lead_to_what_is_served(settings, hosts, expected):
    settings.ALLOWED_HOSTS, settings.SITE_URL = hosts, ""
    assert served_url(port=9000) == expected
    assert site_url() == expected.replace("9000", "8000")


def test_the_setting_is_what_links_begin_with(settings):
    settings.SITE_URL = "https://cards.example.org"
    assert site_url() == "https://cards.example.org"
