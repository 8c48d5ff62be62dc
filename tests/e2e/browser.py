"""A headless Chromium for tests of what people see.

Where there is none such tests are skipped, unless the environment has BROWSER_TESTS=required. BROWSER names
another program than the first of `PROGRAMS` that is found.
"""

import os
import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}
SERIOUS = ("serious", "critical")


def _program():
    found = os.environ.get("BROWSER") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found and Path(found).exists():
        return found
    if os.environ.get("BROWSER_TESTS") == "required":
        pytest.fail("BROWSER_TESTS=required, and there is no Chromium here")
    pytest.skip("there is no Chromium here to look at pages with")


@pytest.fixture(scope="module")
def browser():
    """A Chromium for the tests of a module."""
    program = _program()
    # Playwright's loop runs in the thread that the tests and their database have as well.
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as playwright:
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        started = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield started
        started.close()


@pytest.fixture
def open_page(browser):
    """Opens pages with cookies of their own: `open_page(**of_the_context)`. At the end of the test none of them
    may have met an error, in a script or by the content security policy."""
    contexts, faults = [], []

    def opened(**options):
        context = browser.new_context(**{"viewport": DESKTOP, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if _is_fault(said) else None)
        return page

    yield opened
    for context in contexts:
        context.close()
    if faults:
        pytest.fail(f"a page met errors: {faults}")


@pytest.fixture
def page(open_page):
    """A page of a desktop's size."""
    return open_page()


def _is_fault(said):
    """Whether the console was told of an error; that a test's page has no icon is none."""
    return said.type in ("error", "warning") and not said.location["url"].endswith("/favicon.ico")


def serious_faults(page):
    """What an accessibility checker finds on a page that is serious: rule, place and what to do. It writes inline
    styles; the page is opened with `bypass_csp=True`."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        (fault["id"], node["target"], node.get("failureSummary"))
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


def is_wider_than_the_screen(page):
    """Whether a page has to be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
