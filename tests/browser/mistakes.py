"""What goes wrong inside a page, for tests that want nothing to."""

from playwright.sync_api import Error, Page

FADED = "Transition was"  # aborted or skipped: the next page came before the last one had faded in, which is no mistake


def mistakes(page: Page) -> list[str]:
    """Everything the page throws from here on, with where it did; fills up as it happens."""
    found: list[str] = []

    def threw(error: Error) -> None:
        if FADED not in str(error):
            found.append(f"{error}\n{error.stack}")

    page.on("pageerror", threw)
    return found
