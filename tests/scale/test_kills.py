"""kill -9 of app processes behind nginx, twenty times, in a hail of appends: the test of one server, with two."""

import random

import pytest

from tests.web.test_crash import write_through_kills


@pytest.mark.slow
def test_kill_9_of_one_process_or_the_other_loses_nothing_and_doubles_nothing(site):
    dice = random.Random(4)
    dead: list[int] = []

    def start():
        """Starts the dead one again, and gives the next to be killed."""
        if dead:
            site.start(dead.pop())
        dead.append(dice.randrange(2))
        return site.processes[dead[0]]

    write_through_kills(site.nginx.port, start)
