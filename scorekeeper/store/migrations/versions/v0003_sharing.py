"""Sharing: the phones at a table, the links they came by, the lock, and what was done with all of these."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the four tables."""
    op.create_table(
        "phone",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_phone_match_id_match"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_phone"),
        sa.UniqueConstraint("match_id", "who", name="uq_phone_match_id_who"),
    )
    op.create_index("ix_phone_who", "phone", ["who"])
    op.create_table(
        "link",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_link_match_id_match"),
        sa.PrimaryKeyConstraint("code", name="pk_link"),
    )
    op.create_index("ix_link_match_id", "link", ["match_id"])
    op.create_table(
        "door",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("locked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_door_match_id_match"),
        sa.PrimaryKeyConstraint("match_id", name="pk_door"),
    )
    op.create_table(
        "sharing_change",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("phone", sa.Integer(), nullable=True),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("by", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_sharing_change_match_id_match"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_sharing_change"),
    )


def downgrade() -> None:
    """Never: phones would lose their match."""
    raise NotImplementedError("sharing is not taken back")
