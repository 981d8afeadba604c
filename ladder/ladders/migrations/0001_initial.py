import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Ladder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('game', models.CharField(max_length=20)),
                ('seats', models.PositiveSmallIntegerField()),
                ('options', models.JSONField(default=dict)),
                ('is_open', models.BooleanField(default=False)),
                ('is_paused', models.BooleanField(default=False)),
                ('draw_probability', models.FloatField(default=0.05)),
                ('tau', models.FloatField(default=0.008)),
                ('sigma_goal', models.FloatField(default=1.0)),
                ('most_matches', models.PositiveIntegerField(default=400)),
                ('admitted_through', models.PositiveBigIntegerField(blank=True, null=True)),
                ('last_number', models.PositiveBigIntegerField(default=0)),
                ('rated_through', models.PositiveBigIntegerField(default=0)),
                ('edition', models.PositiveIntegerField(db_default=0, default=0)),
                ('last_edition', models.PositiveIntegerField(db_default=0, default=0)),
                ('needs_rebuild', models.BooleanField(default=False)),
                ('rules_version', models.PositiveIntegerField(default=1)),
                ('rules_since', models.DateTimeField(blank=True, null=True)),
                ('season', models.PositiveIntegerField(default=1)),
                ('season_since', models.DateTimeField(blank=True, null=True)),
                ('closed_through', models.PositiveBigIntegerField(default=0)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['slug'],
                'constraints': [models.CheckConstraint(condition=models.Q(('rated_through__lte', models.F('last_number'))), name='ladder_rates_what_was_numbered'), models.CheckConstraint(condition=models.Q(('draw_probability__gt', 0), ('draw_probability__lt', 1)), name='ladder_draws_are_a_share'), models.CheckConstraint(condition=models.Q(('tau__gte', 0)), name='ladder_tau_is_not_negative')],
            },
        ),
    ]
