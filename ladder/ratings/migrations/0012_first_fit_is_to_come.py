from django.db import migrations

BEGIN = "UPDATE ratings_standing SET rating = mu, board_key = mu - 1000"


class Migration(migrations.Migration):
    """Until the first fit every line is provisional, with TrueSkill's mean as its rating."""

    dependencies = [("ratings", "0011_fits")]

    operations = [migrations.RunSQL(BEGIN, migrations.RunSQL.noop)]
