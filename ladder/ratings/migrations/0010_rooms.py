"""The tables stay where they are; only the app that has the models is another."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ladders', '0001_rooms'),
        ('matches', '0004_rooms'),
        ('ratings', '0009_ladder_rules'),
        ('submissions', '0002_rooms'),
        ('tournaments', '0003_rooms'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='rating',
                    name='ladder',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ladders.ladder'),
                ),
                migrations.AlterField(
                    model_name='ratingstep',
                    name='ladder',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='ladders.ladder'),
                ),
                migrations.AlterField(
                    model_name='seattally',
                    name='ladder',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tallies', to='ladders.ladder'),
                ),
                migrations.AlterField(
                    model_name='standing',
                    name='ladder',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='ladders.ladder'),
                ),
                migrations.DeleteModel(
                    name='Ladder',
                ),
            ],
        ),
    ]
