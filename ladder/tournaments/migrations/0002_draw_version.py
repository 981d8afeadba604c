from django.db import migrations, models


class Migration(migrations.Migration):
    """Tournaments that are there were drawn in the first way."""

    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.AddField("tournament", "draw_version", models.PositiveSmallIntegerField(default=1)),
        migrations.AlterField("tournament", "draw_version", models.PositiveSmallIntegerField(default=2)),
    ]
