"""The ranking: accounts, the seeds issued to them, the records they sent and what became of those."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the four tables."""
    op.create_table(
        "account",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("plain", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("stamp", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_account"),
        sa.UniqueConstraint("plain", name="uq_account_plain"),
    )
    op.create_table(
        "seed",
        sa.Column("seed", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_seed_account_id_account"),
        sa.PrimaryKeyConstraint("seed", name="pk_seed"),
    )
    op.create_index("ix_seed_account_id", "seed", ["account_id"])
    op.create_table(
        "result",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_result_account_id_account"),
        sa.ForeignKeyConstraint(["seed"], ["seed.seed"], name="fk_result_seed_seed"),
        sa.PrimaryKeyConstraint("id", name="pk_result"),
        sa.UniqueConstraint("account_id", "seed", "fingerprint", name="uq_result_account_id_seed_fingerprint"),
    )
    op.create_table(
        "verdict",
        sa.Column("result_id", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["result.id"], name="fk_verdict_result_id_result"),
        sa.PrimaryKeyConstraint("result_id", name="pk_verdict"),
    )
    op.create_index("ix_verdict_variant_points", "verdict", ["variant", "points"])


def downgrade() -> None:
    """Never: what was won would be lost."""
    raise NotImplementedError("the ranking is not taken back")
