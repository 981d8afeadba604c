"""The tables stay where they are; only the app that has the models is another."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('operations', '0002_rooms'),
        ('accounts', '0002_tokens_invites_notifications'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='AuditEntry',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField(auto_now_add=True)),
                        ('actor_name', models.CharField(blank=True, max_length=40)),
                        ('action', models.CharField(max_length=40)),
                        ('target', models.CharField(max_length=120)),
                        ('detail', models.JSONField(default=dict)),
                        ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name_plural': 'audit log',
                        'db_table': 'operations_auditentry',
                        'ordering': ['-id'],
                    },
                ),
            ],
        ),
    ]
