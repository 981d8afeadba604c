import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('ladders', '0001_initial'),
        ('matches', '0001_initial'),
        ('submissions', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('self', 'Self'), ('house', 'House')], max_length=8)),
                ('occasion', models.CharField(choices=[('qualifying', 'Qualifying'), ('retest', 'Retest')], default='qualifying', max_length=12)),
                ('order', models.PositiveSmallIntegerField()),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('playing', 'Playing'), ('passed', 'Passed'), ('failed', 'Failed'), ('skipped', 'Skipped')], default='waiting', max_length=8)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('reason', models.TextField(blank=True, default='')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ladders.ladder')),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='trial', to='matches.match')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to='submissions.botversion')),
            ],
            options={
                'ordering': ['version', 'order'],
                'indexes': [models.Index(fields=['status', 'version'], name='trial_by_status')],
                'constraints': [models.UniqueConstraint(fields=('version', 'order'), name='trials_have_one_order')],
            },
        ),
    ]
