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
            name='Duel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('playing', 'Playing'), ('better', 'Better'), ('no_better', 'No Better'), ('undecided', 'Undecided'), ('cancelled', 'Cancelled')], default='playing', max_length=10)),
                ('told', models.TextField(blank=True, default='')),
                ('rules_version', models.PositiveIntegerField()),
                ('margin', models.FloatField(default=0.05)),
                ('error', models.FloatField(default=0.05)),
                ('most_sets', models.PositiveIntegerField(default=800)),
                ('sets', models.PositiveIntegerField(default=0)),
                ('score', models.FloatField(default=0.5)),
                ('ratio', models.FloatField(default=0.0)),
                ('switch_when_better', models.BooleanField(default=False)),
                ('switched', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='duels', to=settings.AUTH_USER_MODEL)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='duels', to='submissions.bot')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ladders.ladder')),
                ('new', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='duels_as_new', to='submissions.botversion')),
                ('old', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='duels_as_old', to='submissions.botversion')),
            ],
        ),
        migrations.CreateModel(
            name='DuelSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('is_over', models.BooleanField(default=False)),
                ('score', models.FloatField(blank=True, null=True)),
                ('ratio', models.FloatField(blank=True, null=True)),
                ('duel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='played', to='duels.duel')),
                ('set', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='duel_set', to='matches.matchset')),
            ],
        ),
        migrations.AddIndex(
            model_name='duel',
            index=models.Index(fields=['bot', '-id'], name='duel_by_bot'),
        ),
        migrations.AddIndex(
            model_name='duel',
            index=models.Index(fields=['asked_by', 'created_at'], name='duel_by_asker'),
        ),
        migrations.AddIndex(
            model_name='duel',
            index=models.Index(condition=models.Q(('status', 'playing')), fields=['id'], name='duel_playing'),
        ),
        migrations.AddConstraint(
            model_name='duel',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'playing')), fields=('bot',), name='a_bot_has_one_duel_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='duel',
            constraint=models.CheckConstraint(condition=models.Q(('old', models.F('new')), _negated=True), name='a_duel_has_two_versions'),
        ),
        migrations.AddConstraint(
            model_name='duel',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['playing', 'better', 'no_better', 'undecided', 'cancelled'])), name='duel_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='duelset',
            constraint=models.UniqueConstraint(fields=('duel', 'number'), name='duel_sets_have_one_order'),
        ),
    ]
