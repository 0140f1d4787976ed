"""When a match was archived; nothing for those that are in the lists."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column."""
    op.add_column("match", sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Never: what was archived would be forgotten."""
    raise NotImplementedError("nothing is taken back")
