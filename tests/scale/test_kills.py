"""kill -9 of app processes behind nginx, twenty times, in a hail of appends: the test of one server, with two."""

import pytest

from tests.scale.site import killing
from tests.web.test_crash import write_through_kills


@pytest.mark.slow
def test_kill_9_of_one_process_or_the_other_loses_nothing_and_doubles_nothing(site):
    write_through_kills(site.nginx.port, killing(site))
