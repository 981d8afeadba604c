"""The tables stay where they are; only the app that has the models is another."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0002_rooms'),
        ('ladders', '0001_rooms'),
        ('matches', '0003_seat_turn'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='StoredRecord',
                    fields=[
                        ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='record', serialize=False, to='matches.match')),
                        ('content', models.BinaryField()),
                        ('stored_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                    ],
                    options={
                        'db_table': 'replays_storedrecord',
                    },
                ),
                migrations.AlterField(
                    model_name='match',
                    name='ladder',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='ladders.ladder'),
                ),
                migrations.AlterField(
                    model_name='matchset',
                    name='ladder',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sets', to='ladders.ladder'),
                ),
                migrations.CreateModel(
                    name='SeatLog',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('text', models.TextField()),
                        ('written_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                        ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='logs', to='matches.match')),
                    ],
                    options={
                        'db_table': 'replays_seatlog',
                        'indexes': [models.Index(fields=['written_at'], name='log_by_age')],
                        'constraints': [models.UniqueConstraint(fields=('match', 'seat'), name='one_log_for_a_seat')],
                    },
                ),
            ],
        ),
    ]
