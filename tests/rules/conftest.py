import pytest

pytest.register_assert_rewrite("tests.rules.checks", "tests.rules.golden")
