"""The first tables: matches and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes both tables."""
    op.create_table(
        "match",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
        sa.UniqueConstraint("owner", "key", name="uq_match_owner_key"),
    )
    op.create_table(
        "event",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("fingerprint", sa.Text(), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_event_match_id_match"),
        sa.PrimaryKeyConstraint("match_id", "version", name="pk_event"),
        sa.UniqueConstraint("match_id", "key", name="uq_event_match_id_key"),
    )


def downgrade() -> None:
    """Never: the log is the only truth, and going back would lose it."""
    raise NotImplementedError("the log is not taken back")
