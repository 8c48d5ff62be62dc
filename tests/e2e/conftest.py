"""Fixtures of the tests that look at pages."""

from tests.e2e.browser import browser, open_page, page

__all__ = ["browser", "open_page", "page"]
