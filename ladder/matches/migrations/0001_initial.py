import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('ladders', '0001_initial'),
        ('submissions', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rotation', models.PositiveSmallIntegerField()),
                ('lane', models.CharField(choices=[('trial', 'Trial'), ('request', 'Request'), ('tournament', 'Tournament'), ('ladder', 'Ladder')], max_length=10)),
                ('priority', models.SmallIntegerField(default=0)),
                ('is_rated', models.BooleanField()),
                ('is_held', models.BooleanField(default=False)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('finished', 'Finished'), ('void', 'Void'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('lease', models.UUIDField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('worker', models.CharField(blank=True, default='', max_length=100)),
                ('elsewhere_until', models.DateTimeField(blank=True, null=True)),
                ('aside_until', models.DateTimeField(blank=True, null=True)),
                ('times_aside', models.PositiveSmallIntegerField(default=0)),
                ('rating_number', models.PositiveBigIntegerField(blank=True, null=True)),
                ('rules_version', models.PositiveIntegerField(blank=True, null=True)),
                ('ending', models.CharField(blank=True, default='', max_length=20)),
                ('game_ending', models.CharField(blank=True, default='', max_length=40)),
                ('plies', models.PositiveIntegerField(blank=True, null=True)),
                ('wall_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('digest', models.CharField(blank=True, default='', max_length=64)),
                ('reason', models.TextField(blank=True, default='')),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('ladder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='ladders.ladder')),
            ],
            options={
                'verbose_name_plural': 'matches',
            },
        ),
        migrations.CreateModel(
            name='Pulse',
            fields=[
                ('stage', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('engines_digest', models.CharField(blank=True, default='', max_length=64)),
                ('games', models.JSONField(blank=True, default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('through', models.DateTimeField()),
                ('matches', models.JSONField(default=dict)),
                ('faults', models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('host', models.CharField(max_length=100)),
                ('pid', models.PositiveIntegerField()),
                ('plays', models.BooleanField()),
                ('processes', models.PositiveSmallIntegerField(default=1)),
                ('version', models.CharField(max_length=40)),
                ('engines_digest', models.CharField(max_length=64)),
                ('sandbox_ok', models.BooleanField()),
                ('message', models.TextField(blank=True, default='')),
                ('abilities', models.JSONField(blank=True, default=dict)),
                ('role', models.CharField(blank=True, db_default='', default='', max_length=63)),
                ('started_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('drained_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='StoredRecord',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='record', serialize=False, to='matches.match')),
                ('content', models.BinaryField()),
                ('file', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('stored_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'indexes': [models.Index(fields=['file'], name='record_by_file')],
            },
        ),
        migrations.CreateModel(
            name='FailedAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('worker', models.CharField(max_length=100)),
                ('cause', models.CharField(choices=[('host_fault', 'Host Fault'), ('lost', 'Lost'), ('handed_back', 'Handed Back')], max_length=12)),
                ('detail', models.TextField(blank=True, default='')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='failed_attempts', to='matches.match')),
            ],
        ),
        migrations.CreateModel(
            name='MatchSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lane', models.CharField(choices=[('trial', 'Trial'), ('request', 'Request'), ('tournament', 'Tournament'), ('ladder', 'Ladder')], max_length=10)),
                ('seed', models.CharField(max_length=39)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sets', to='ladders.ladder')),
                ('requested_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='requested_sets', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='match',
            name='set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='matches.matchset'),
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('turn', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('rank', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('score', models.FloatField(blank=True, null=True)),
                ('fault', models.CharField(blank=True, choices=[('timeout', 'Timeout'), ('crash', 'Crash'), ('illegal_action', 'Illegal Action'), ('invalid_answer', 'Invalid Answer'), ('out_of_memory', 'Out Of Memory'), ('output_limit', 'Output Limit')], default='', max_length=16)),
                ('fault_stage', models.CharField(blank=True, default='', max_length=8)),
                ('fault_ply', models.PositiveIntegerField(blank=True, null=True)),
                ('fault_reason', models.TextField(blank=True, default='')),
                ('cpu_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('peak_kib', models.PositiveBigIntegerField(blank=True, null=True)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='matches.match')),
                ('version', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='submissions.botversion')),
            ],
            options={
                'ordering': ['match', 'seat'],
            },
        ),
        migrations.CreateModel(
            name='SeatLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('text', models.TextField()),
                ('written_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='logs', to='matches.match')),
            ],
        ),
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(fields=['requested_by', 'created_at'], name='set_by_requester'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('is_held', False), ('status', 'queued')), fields=['lane', 'priority', 'id'], name='match_queue'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('status', 'running')), fields=['id'], name='match_leases'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('status', 'queued'), ('times_aside__gt', 0)), fields=['aside_until'], name='match_aside'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['ladder', 'status', '-id'], name='match_by_ladder'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['status', '-id'], name='match_by_status'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['-finished_at'], name='match_by_end'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('is_rated', True), ('plies__isnull', False), ('rating_number__isnull', True)), fields=['ladder', 'finished_at', 'id'], name='match_to_rate'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(fields=('set', 'rotation'), name='one_match_for_each_rotation'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(condition=models.Q(('rating_number__isnull', False)), fields=('ladder', 'rating_number'), name='rating_numbers_are_unique'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(condition=models.Q(('lease__isnull', False)), fields=('lease',), name='a_lease_is_for_one_match'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'finished', 'void', 'cancelled'])), name='match_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease__isnull', False), ('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease__isnull', True), ('lease_until__isnull', True)), _connector='OR'), name='only_running_matches_have_a_lease'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('attempts__lte', 3)), name='match_attempts_are_limited'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('is_rated', True), ('rating_number__isnull', True), _connector='OR'), name='only_rated_matches_have_a_number'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'finished'), _negated=True), models.Q(('digest', ''), _negated=True), _connector='OR'), name='finished_matches_have_a_digest'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['version', '-match'], name='seat_by_version'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('fault', ''), _negated=True), fields=['version', '-match'], name='seat_with_fault'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('match', 'seat'), name='one_version_in_a_seat'),
        ),
        migrations.AddIndex(
            model_name='seatlog',
            index=models.Index(fields=['written_at'], name='log_by_age'),
        ),
        migrations.AddConstraint(
            model_name='seatlog',
            constraint=models.UniqueConstraint(fields=('match', 'seat'), name='one_log_for_a_seat'),
        ),
    ]
