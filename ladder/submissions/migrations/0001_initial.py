import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Bundle',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('content', models.BinaryField()),
                ('file', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('link', models.TextField(blank=True, db_default='', default='')),
                ('linked_at', models.DateTimeField(blank=True, null=True)),
                ('size_bytes', models.PositiveIntegerField()),
                ('stored_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Bot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('game', models.CharField(max_length=20)),
                ('description', models.CharField(blank=True, default='', max_length=500)),
                ('plays_better_only', models.BooleanField(default=False)),
                ('plays_people', models.BooleanField(default=False)),
                ('is_hidden', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='bots', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='BotVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('runtime', models.CharField(max_length=16)),
                ('entry', models.CharField(max_length=200)),
                ('filename', models.CharField(max_length=200)),
                ('status', models.CharField(choices=[('received', 'Received'), ('checking', 'Checking'), ('qualified', 'Qualified'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('quarantined', 'Quarantined')], default='received', max_length=16)),
                ('reason', models.TextField(blank=True, default='')),
                ('uploaded_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('cleared_match', models.PositiveBigIntegerField(default=0)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='submissions.bot')),
                ('uploaded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='uploads', to=settings.AUTH_USER_MODEL)),
                ('bundle', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='submissions.bundle')),
            ],
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followed_by', to=settings.AUTH_USER_MODEL)),
                ('bot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='follows', to='submissions.bot')),
                ('follower', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='bot',
            name='active_version',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='submissions.botversion'),
        ),
        migrations.AddIndex(
            model_name='bot',
            index=models.Index(fields=['owner', 'game'], name='bot_by_owner'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.UniqueConstraint(models.F('game'), django.db.models.functions.text.Lower('name'), name='bot_name_is_unique_in_its_game'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='bot_has_a_name'),
        ),
        migrations.AddIndex(
            model_name='botversion',
            index=models.Index(fields=['status', 'id'], name='version_by_status'),
        ),
        migrations.AddIndex(
            model_name='botversion',
            index=models.Index(fields=['uploaded_by', 'uploaded_at'], name='version_by_uploader'),
        ),
        migrations.AddConstraint(
            model_name='botversion',
            constraint=models.UniqueConstraint(fields=('bot', 'number'), name='version_numbers_are_unique'),
        ),
        migrations.AddConstraint(
            model_name='botversion',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='version_numbers_start_at_1'),
        ),
        migrations.AddConstraint(
            model_name='botversion',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['received', 'checking', 'qualified', 'rejected', 'withdrawn', 'quarantined'])), name='version_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.UniqueConstraint(fields=('follower', 'bot'), name='a_bot_is_followed_once'),
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.UniqueConstraint(fields=('follower', 'author'), name='an_author_is_followed_once'),
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('author__isnull', False), ('bot__isnull', True)), models.Q(('author__isnull', True), ('bot__isnull', False)), _connector='OR'), name='a_bot_or_an_author_is_followed'),
        ),
    ]
