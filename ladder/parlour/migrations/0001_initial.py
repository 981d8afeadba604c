import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('submissions', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Host',
            fields=[
                ('worker', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('until', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Sitting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=32, unique=True)),
                ('invite', models.CharField(max_length=32, unique=True)),
                ('game', models.CharField(max_length=20)),
                ('rules_version', models.PositiveIntegerField()),
                ('seats', models.PositiveSmallIntegerField()),
                ('options', models.JSONField(blank=True, default=dict)),
                ('seed', models.CharField(max_length=39)),
                ('bank_ms', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('open', 'Open'), ('playing', 'Playing'), ('finished', 'Finished'), ('abandoned', 'Abandoned')], default='open', max_length=10)),
                ('ply', models.PositiveIntegerField(default=0)),
                ('to_act', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('lease', models.UUIDField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('note', models.TextField(blank=True, default='')),
                ('ending', models.CharField(blank=True, default='', max_length=20)),
                ('ranks', models.JSONField(blank=True, null=True)),
                ('outcome', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('moved_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('started_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sittings', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Chair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('guest', models.CharField(blank=True, default='', max_length=64)),
                ('is_taken', models.BooleanField(default=True)),
                ('bot_seed', models.PositiveBigIntegerField(default=0)),
                ('bank_ms', models.FloatField(default=0)),
                ('fault', models.CharField(blank=True, default='', max_length=16)),
                ('fault_stage', models.CharField(blank=True, default='', max_length=8)),
                ('fault_ply', models.PositiveIntegerField(blank=True, null=True)),
                ('fault_reason', models.TextField(blank=True, default='')),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='chairs', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='chairs', to='submissions.botversion')),
                ('sitting', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chairs', to='parlour.sitting')),
            ],
            options={
                'ordering': ['sitting', 'seat'],
            },
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ply', models.PositiveIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('text', models.CharField(max_length=80)),
                ('bank_ms', models.PositiveIntegerField(default=0)),
                ('cpu_ms', models.FloatField(default=0)),
                ('wall_ms', models.FloatField(default=0)),
                ('waited_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('sitting', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='acts', to='parlour.sitting')),
            ],
            options={
                'ordering': ['sitting', 'ply'],
            },
        ),
        migrations.AddIndex(
            model_name='sitting',
            index=models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='sitting_due'),
        ),
        migrations.AddIndex(
            model_name='sitting',
            index=models.Index(fields=['started_by', '-created_at'], name='sitting_by_person'),
        ),
        migrations.AddIndex(
            model_name='sitting',
            index=models.Index(fields=['status', 'moved_at'], name='sitting_by_status'),
        ),
        migrations.AddConstraint(
            model_name='sitting',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['open', 'playing', 'finished', 'abandoned'])), name='sitting_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='sitting',
            constraint=models.CheckConstraint(condition=models.Q(('status', 'playing'), ('due_at__isnull', True), _connector='OR'), name='bots_act_in_running_sittings'),
        ),
        migrations.AddIndex(
            model_name='chair',
            index=models.Index(condition=models.Q(('guest', ''), _negated=True), fields=['guest'], name='chair_by_guest'),
        ),
        migrations.AddConstraint(
            model_name='chair',
            constraint=models.UniqueConstraint(fields=('sitting', 'seat'), name='one_chair_for_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='chair',
            constraint=models.CheckConstraint(condition=models.Q(('version__isnull', True), models.Q(('guest', ''), ('person__isnull', True)), _connector='OR'), name='a_chair_has_a_bot_or_a_person'),
        ),
        migrations.AddConstraint(
            model_name='act',
            constraint=models.UniqueConstraint(fields=('sitting', 'ply'), name='each_ply_is_written_once'),
        ),
    ]
