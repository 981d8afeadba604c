import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('ladders', '0001_initial'),
        ('matches', '0001_initial'),
        ('submissions', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(blank=True, null=True)),
                ('entered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='submissions.bot')),
                ('entered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='submissions.botversion')),
            ],
            options={
                'ordering': ['tournament', 'number', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('description', models.CharField(blank=True, default='', max_length=1000)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('running', 'Running'), ('paused', 'Paused'), ('finished', 'Finished'), ('cancelled', 'Cancelled')], default='draft', max_length=10)),
                ('entry', models.CharField(choices=[('anyone', 'Anyone'), ('invite', 'Invite'), ('closed', 'Closed')], default='anyone', max_length=8)),
                ('invite_code', models.CharField(blank=True, default='', max_length=40)),
                ('entries_until', models.DateTimeField(blank=True, null=True)),
                ('is_rated', models.BooleanField(default=False)),
                ('format', models.CharField(default='round_robin', max_length=16)),
                ('cycles', models.PositiveSmallIntegerField(default=1)),
                ('rounds', models.PositiveSmallIntegerField(default=0)),
                ('best_of', models.PositiveSmallIntegerField(default=1)),
                ('all_rotations', models.BooleanField(default=True)),
                ('points', models.JSONField(default=list)),
                ('draw_version', models.PositiveSmallIntegerField(default=1)),
                ('seed', models.CharField(max_length=64)),
                ('seed_commitment', models.CharField(max_length=64)),
                ('entrant_count', models.PositiveIntegerField(default=0)),
                ('round', models.PositiveSmallIntegerField(default=0)),
                ('tables_drawn', models.PositiveIntegerField(default=0)),
                ('tables_settled', models.PositiveIntegerField(default=0)),
                ('tables_total', models.PositiveIntegerField(default=0)),
                ('sheet_at', models.DateTimeField(blank=True, null=True)),
                ('sheet_settled', models.PositiveIntegerField(default=0)),
                ('sheet_ms', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('opened_at', models.DateTimeField(blank=True, null=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('champion', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='gauntlets', to='submissions.bot')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tournaments', to='ladders.ladder')),
                ('organiser', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tournaments', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('round', models.PositiveSmallIntegerField()),
                ('entrants', models.JSONField()),
                ('is_settled', models.BooleanField(default=False)),
                ('results', models.JSONField(default=list)),
                ('match_set', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='table', to='matches.matchset')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['tournament', 'number'],
            },
        ),
        migrations.CreateModel(
            name='SheetRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('progress', models.FloatField(default=0.0)),
                ('place', models.PositiveIntegerField()),
                ('tie_rule', models.CharField(blank=True, default='', max_length=20)),
                ('low', models.PositiveIntegerField()),
                ('high', models.PositiveIntegerField()),
                ('p_first', models.FloatField(null=True)),
                ('share_low', models.FloatField(null=True)),
                ('share_high', models.FloatField(null=True)),
                ('points', models.FloatField()),
                ('wins', models.PositiveIntegerField()),
                ('draws', models.PositiveIntegerField()),
                ('losses', models.PositiveIntegerField()),
                ('matches', models.PositiveIntegerField()),
                ('voids', models.PositiveIntegerField()),
                ('faults', models.PositiveIntegerField()),
                ('byes', models.PositiveIntegerField()),
                ('sonneborn_berger', models.FloatField()),
                ('mean_score', models.FloatField()),
                ('cells', models.JSONField(default=dict)),
                ('entrant', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sheet_row', to='tournaments.entrant')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sheet', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['tournament', 'position'],
            },
        ),
        migrations.AddField(
            model_name='entrant',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='tournaments.tournament'),
        ),
        migrations.AddIndex(
            model_name='tournament',
            index=models.Index(fields=['status', '-id'], name='tournament_by_status'),
        ),
        migrations.AddIndex(
            model_name='tournament',
            index=models.Index(fields=['organiser', '-id'], name='tournament_by_organiser'),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='tournament_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('tables_settled__lte', models.F('tables_drawn'))), name='tables_are_drawn_then_settled'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('is_settled', False)), fields=['tournament', 'number'], name='table_unsettled'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(fields=['tournament', 'round', 'number'], name='table_by_round'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='a_table_is_drawn_once'),
        ),
        migrations.AddIndex(
            model_name='sheetrow',
            index=models.Index(fields=['tournament', 'position'], name='sheet_by_position'),
        ),
        migrations.AddConstraint(
            model_name='entrant',
            constraint=models.UniqueConstraint(fields=('tournament', 'bot'), name='a_bot_enters_once'),
        ),
        migrations.AddConstraint(
            model_name='entrant',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='entrant_numbers_are_unique'),
        ),
    ]
