"""The tables come about by themselves, and are the same whether described or migrated."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text

from scorekeeper.store import migrations
from scorekeeper.store.errors import TooNew
from scorekeeper.store.tables import metadata

pytestmark = pytest.mark.each_database


@pytest.fixture
def plain(database, request):
    """An engine on an empty database of the same kind, which no migration touches."""
    engine = create_engine("sqlite://" if database == "sqlite" else request.getfixturevalue("postgres").fresh())
    yield engine
    engine.dispose()


def schema(connection):
    """Everything the database says about its tables, without the order in which it says it."""
    look = inspect(connection)
    return {
        name: {
            "columns": [{**column, "type": str(column["type"])} for column in look.get_columns(name)],
            "primary": look.get_pk_constraint(name),
            "unique": sorted(look.get_unique_constraints(name), key=str),
            "foreign": sorted(look.get_foreign_keys(name), key=str),
            "indexes": sorted(look.get_indexes(name), key=str),
        }
        for name in look.get_table_names()
        if name != "alembic_version"
    }


def test_an_empty_database_gets_its_tables(log):
    with log._database.read() as db:
        assert set(inspect(db).get_table_names()) == {"alembic_version", *metadata.tables}
        assert migrations.present(db) == migrations.STEPS[-1]


def test_nothing_is_missing_in_the_migrations(log, plain):
    with log._database.read() as db:
        context = MigrationContext.configure(db, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        migrated = schema(db)
    with plain.begin() as db:
        metadata.create_all(db)
        assert migrated == schema(db)


def test_steps_are_one_line_named_as_numbered():
    steps = list(ScriptDirectory(str(migrations.HOME)).walk_revisions())[::-1]
    assert [step.revision for step in steps] == migrations.STEPS
    assert [step.down_revision for step in steps] == [None, *migrations.STEPS[:-1]]
    for step in steps:
        assert Path(step.path).name.startswith(f"v{step.revision}_")


def test_migrating_again_changes_nothing(log, open_log):
    match_id = log.create("ani", [{"type": "created"}], "k").match_id
    log.migrate()
    log.close()
    assert len(open_log().read(match_id)) == 1


@pytest.mark.parametrize("step", migrations.STEPS[:-1])
def test_a_database_of_before_keeps_all_it_holds(open_log, tmp_path, monkeypatch, step):
    (tmp_path / "versions").mkdir()
    for each in [migrations.HOME / "env.py", *(migrations.HOME / "versions").glob("v*.py")]:
        if not each.name.startswith("v") or each.name[1:5] <= step:
            (tmp_path / each.relative_to(migrations.HOME)).write_text(each.read_text())
    with monkeypatch.context() as before:
        before.setattr(migrations, "HOME", tmp_path)
        before.setattr(migrations, "STEPS", [each for each in migrations.STEPS if each <= step])
        old = open_log()
    match_id = old.create("ani", [{"type": "created"}], "k").match_id
    with old.database.read() as db:
        assert migrations.present(db) == step
    old.close()
    log = open_log()
    with log.database.read() as db:
        assert migrations.present(db) == migrations.STEPS[-1]
    assert [one.type for one in log.read(match_id)] == ["created"]


def test_a_step_that_fails_leaves_nothing_behind(url, open_log, tmp_path, monkeypatch):
    (tmp_path / "versions").mkdir()
    for each in [migrations.HOME / "env.py", *(migrations.HOME / "versions").glob("v*.py")]:
        (tmp_path / each.relative_to(migrations.HOME)).write_text(each.read_text())
    (tmp_path / "versions" / "v9999_broken.py").write_text(
        "from alembic import op\n"
        f"revision, down_revision = '9999', {migrations.STEPS[-1]!r}\n"
        "def upgrade():\n"
        "    op.execute('CREATE TABLE half (n INTEGER)')\n"
        "    op.execute('CREATE TABLE half (n INTEGER)')\n"
    )
    with monkeypatch.context() as broken:
        broken.setattr(migrations, "HOME", tmp_path)
        broken.setattr(migrations, "STEPS", [*migrations.STEPS, "9999"])
        with pytest.raises(Exception, match=r'"?half"? already exists'):
            open_log()
    engine = create_engine(url)
    assert inspect(engine).get_table_names() == []
    engine.dispose()
    assert open_log().create("ani", [{"type": "created"}], "k").version == 1


def test_a_database_of_a_newer_app_is_refused_and_let_go(log, open_log):
    with log._database.write() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    log.close()
    for _ in range(2):
        with pytest.raises(TooNew, match="9999"):
            open_log()
