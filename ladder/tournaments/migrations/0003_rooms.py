"""The tables stay where they are; only the app that has the models is another."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ladders', '0001_rooms'),
        ('tournaments', '0002_draw_version'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='tournament',
                    name='ladder',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tournaments', to='ladders.ladder'),
                ),
            ],
        ),
    ]
