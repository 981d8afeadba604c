import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("ratings", "0005_rating_counts")]

    operations = [
        migrations.RemoveIndex(model_name="rating", name="rating_by_version"),
        migrations.AlterField(
            model_name="rating",
            name="bot",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="submissions.bot"
            ),
        ),
        migrations.AlterField(model_name="rating", name="nth", field=models.PositiveIntegerField()),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(fields=("bot", "ladder", "nth"), name="ratings_of_a_bot_are_counted"),
        ),
    ]
