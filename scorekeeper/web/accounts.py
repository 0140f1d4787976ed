"""The routes of the ranking's accounts: signing up, in and out, the name, the export, the end."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, Response, current_app, redirect, request, url_for
from flask import session as cookie
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from scorekeeper.core.errors import Invalid
from scorekeeper.core.options import N_
from scorekeeper.pages import accounts as pages
from scorekeeper.store.accounts import Account, Accounts, plain_name
from scorekeeper.store.errors import NameTaken
from scorekeeper.store.results import Results

from . import passwords
from .match import download
from .respond import respond, say

blueprint = Blueprint("accounts", __name__, url_prefix="/account")
KEPT = ("owner", "language", "theme", "practice")  # what a browser has whoever is signed in
MOST_SHOWN = 20
# A wrong password may come twice: once from the page's script and once from the browser (static/js/save.js).
WRONG_BY_ADDRESS, WRONG_BY_NAME, SIGN_UPS = "20 per minute; 200 per hour", "60 per hour", "20 per minute; 100 per hour"


def install(app: Flask) -> None:
    """Adds the routes, and limits to guessing passwords and making accounts."""
    database = app.extensions["log"].database
    app.extensions["accounts"], app.extensions["results"] = Accounts(database), Results(database)
    app.register_blueprint(blueprint)
    for endpoint in ("accounts.sign_in", "accounts.delete"):
        limit(app, endpoint, WRONG_BY_ADDRESS, get_remote_address, _refused)
    limit(app, "accounts.sign_in", WRONG_BY_NAME, lambda: plain_name(request.form.get("name", "")[:100]), _refused)
    limit(app, "accounts.sign_up", SIGN_UPS, get_remote_address)


def limit(app: Flask, endpoint: str, rate: str, key: Callable[[], str],
          when: Callable[[Response], bool] | None = None) -> None:
    """Limits a route besides what all are limited to: by `key`, counting the answers that `when` says."""
    limiter: Limiter = next(iter(app.extensions["limiter"]))
    takes = {method for rule in app.url_map.iter_rules(endpoint) for method in rule.methods or ()}
    methods = ["POST"] if "POST" in takes else ["GET"]  # a form may be looked at as often as one likes
    limited: Any = limiter.limit(rate, key_func=key, methods=methods, deduct_when=when)
    app.view_functions[endpoint] = limited(app.view_functions[endpoint])


def _refused(response: Response) -> bool:
    return response.status_code == 422


def accounts() -> Accounts:
    """The accounts."""
    store: Accounts = current_app.extensions["accounts"]
    return store


def results() -> Results:
    """The ranking's results."""
    store: Results = current_app.extensions["results"]
    return store


def current() -> Account | None:
    """Who is signed in in this browser."""
    if "account" not in cookie:
        return None
    account_id, stamp = cookie["account"]
    found = accounts().get(account_id)
    return found if found and hmac.compare_digest(found.stamp, stamp) else None


def enter(account: Account) -> Any:
    """Signs in: a new cookie with nothing in it of who was signed in before, its token included."""
    leave()
    cookie["account"] = [account.id, account.stamp]
    cookie.permanent = True
    return redirect(url_for("accounts.account"), 303)


def leave() -> None:
    """Empties the cookie but for what has nothing to do with an account."""
    kept = {name: cookie[name] for name in KEPT if name in cookie}
    cookie.clear()
    cookie.update(kept)


@blueprint.get("")
def account() -> Response:
    """One's account, or the way in."""
    me = current()
    return _page(me) if me else respond(pages.sign_in_page({}))


def _page(me: Account, error: Invalid | None = None) -> Response:
    own = results()
    return respond(pages.account_page(me, own.best_of(me.id), own.of(me.id, MOST_SHOWN),
                                      {} if error is None else _typed(), error))


def _typed() -> dict[str, str]:
    return {"name": request.form["name"]} if "name" in request.form else {}


@blueprint.post("/in")
def sign_in() -> Any:
    found = accounts().named(request.form.get("name", "")[:100])
    password = pages.plain_password(request.form.get("password", ""))
    if not passwords.fits(found.password if found else None, password) or found is None:
        wrong = Invalid("no_such_account", "no account with this name and password", "password")
        return respond(pages.sign_in_page(_typed(), wrong))
    if passwords.outdated(found.password):
        accounts().set_password(found.id, passwords.hash_of(password))
    return enter(found)


@blueprint.get("/in")
def way_in() -> Any:
    return redirect(url_for("accounts.account"), 303)


@blueprint.route("/new", methods=["GET", "POST"])
def sign_up() -> Any:
    if request.method == "GET":
        return respond(pages.sign_up_page({}))
    try:
        name = pages.read_account_name(request.form.get("name", ""))
        password = pages.read_password(request.form.get("password", ""), name)
        made = accounts().create(name, passwords.hash_of(password))
    except Invalid as error:
        return respond(pages.sign_up_page(_typed(), error))
    except NameTaken:
        return respond(pages.sign_up_page(_typed(), _taken()))
    return enter(made)


def _taken() -> Invalid:
    return Invalid("name_taken", "another account has this name", "name")


@blueprint.post("/out")
def sign_out() -> Any:
    me = current()
    if me and request.form.get("everywhere"):
        accounts().sign_out(me.id)
    leave()
    say("good", N_("Signed out."))
    return redirect(url_for("accounts.account"), 303)


@blueprint.post("/name")
def rename() -> Any:
    me = current()
    if me is None:
        return way_in()
    try:
        accounts().rename(me.id, pages.read_account_name(request.form.get("name", "")))
    except Invalid as error:
        return _page(me, error)
    except NameTaken:
        return _page(me, _taken())
    say("good", N_("Changed."))
    return redirect(url_for("accounts.account"), 303)


@blueprint.post("/delete")
def delete() -> Any:
    me = current()
    if me is None:
        return way_in()
    if not passwords.fits(me.password, pages.plain_password(request.form.get("password", ""))):
        return _page(me, Invalid("wrong_password", "not the password", "password"))
    accounts().delete(me.id)
    leave()
    say("good", N_("The account and all that was kept of it are gone."))
    return redirect(url_for("accounts.account"), 303)


@blueprint.get("/export.json")
def export() -> Any:
    """All that is kept of who is signed in, but for the password's hash."""
    me = current()
    if me is None:
        return way_in()
    held = {
        "name": me.name,
        "created_at": me.created_at.isoformat(),
        "seeds": [{"seed": seed, "issued_at": at.isoformat()} for seed, at in results().seeds_of(me.id)],
        "results": [{"id": one.id, "at": one.at.isoformat(), "record": one.record,
                     "verdict": one.verdict and vars(one.verdict)} for one in results().of(me.id)],
    }
    return download(json.dumps(held, ensure_ascii=False, indent=1) + "\n", "application/json", "account.json")
