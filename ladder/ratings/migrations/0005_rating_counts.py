import django.db.models.deletion
from django.db import migrations, models

COUNT = """
UPDATE ratings_rating SET bot_id = counted.bot_id, nth = counted.nth FROM (
    SELECT rating.id, version.bot_id,
        ROW_NUMBER() OVER (PARTITION BY version.bot_id, rating.ladder_id ORDER BY step.number, rating.seat) AS nth
    FROM ratings_rating AS rating
    JOIN submissions_botversion AS version ON version.id = rating.version_id
    JOIN ratings_ratingstep AS step ON step.id = rating.step_id
) AS counted WHERE counted.id = ratings_rating.id
"""


class Migration(migrations.Migration):
    """Fills the columns that the next one makes strict: PostgreSQL does not do both in one transaction."""

    dependencies = [("ratings", "0004_leaderboard_orders"), ("submissions", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="rating",
            name="bot",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="submissions.bot",
            ),
        ),
        migrations.AddField(model_name="rating", name="nth", field=models.PositiveIntegerField(null=True)),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]
