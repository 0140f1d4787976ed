"""Run by Alembic for each upgrade, on the connection that `upgrade` put into the configuration."""

from alembic import context

from scorekeeper.store.tables import metadata

# transactional_ddl: SQLite can roll back a half-made table, though Alembic assumes that it cannot.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
