"""Manifests, units, dashboard and alerts are what their programs read, and name what there is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from ladder.environment import VARIABLES
from ladder.operations.backups import note_backup

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
MANIFESTS = sorted(path for path in (DEPLOY / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml")
UNITS = sorted((DEPLOY / "systemd").glob("*"))


def objects():
    return [each for path in MANIFESTS for each in yaml.safe_load_all(path.read_text())]


def pods():
    made = [each for each in objects() if each["kind"] in ("Deployment", "Job")]
    return {each["metadata"]["name"]: each["spec"]["template"]["spec"] for each in made}


@pytest.mark.parametrize("each", objects(), ids=lambda each: f"{each['kind']} {each['metadata']['name']}")
def test_every_object_fits_its_schema(each):
    kubernetes_validate.validate(each, "1.33", strict=True)


def test_the_list_of_resources_is_whole():
    listed = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    assert sorted(listed["resources"]) == [path.name for path in MANIFESTS]
    kubectl = shutil.which("kubectl")
    if kubectl:
        built = subprocess.run(
            [kubectl, "kustomize", DEPLOY / "kubernetes"], capture_output=True, text=True, timeout=300
        )
        assert len(list(yaml.safe_load_all(built.stdout))) == len(objects()), built.stderr


def test_every_process_is_there_with_requests_and_no_rights():
    roles = re.findall(r"^([a-z]+)\)", (ROOT / "docker" / "start").read_text(), re.MULTILINE)
    assert set(pods()) == set(roles)
    for name, pod in pods().items():
        (container,) = pod["containers"]
        assert container["args"] == [name]
        assert {"cpu", "memory"} <= container["resources"]["requests"].keys(), name
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        assert "livenessProbe" in container or name in ("migrate", "beat")


def test_a_worker_ends_its_matches_before_it_is_killed_and_has_memory_for_bots():
    worker = pods()["worker"]
    (container,) = worker["containers"]
    env = {each["name"]: each.get("value") for each in container["env"]}
    assert worker["terminationGracePeriodSeconds"] > int(env["RUMRUNNER_GRACE_S"]) >= 600
    assert {"name": "memory", "emptyDir": {"medium": "Memory", "sizeLimit": "512Mi"}} in worker["volumes"]
    assert {"name": "memory", "mountPath": env["RUMRUNNER_TMPFS"]} in container["volumeMounts"]
    assert container["resources"]["requests"] == container["resources"]["limits"], "whole cores of its own"


def test_units_are_what_systemd_reads(tmp_path):
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        pytest.skip("systemd-analyze is not installed")
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/rumrunner/docker/start", "/bin/true"))
    units = sorted(map(str, tmp_path.iterdir()))
    told = subprocess.run([analyse, "verify", "--man=no", *units], capture_output=True, text=True, timeout=300)
    assert (told.returncode, told.stderr) == (0, "")


def test_every_setting_in_manifests_and_units_is_one():
    text = "".join(path.read_text() for path in (*MANIFESTS, *UNITS))
    named = set(re.findall(r"RUMRUNNER_[A-Z_]+", text))
    assert "RUMRUNNER_TMPFS" in named
    assert named <= {variable.name for variable in VARIABLES}


@pytest.fixture
def told(admin_client) -> set[str]:
    """The names of all series that /metrics can have."""
    note_backup()
    admin_client.get("/")
    text = admin_client.get("/metrics").content.decode()
    families = re.findall(r"^# TYPE (rumrunner_\w+) (\w+)", text, re.MULTILINE)
    return {name + part for name, kind in families for part in (("_bucket", "") if kind == "histogram" else ("",))}


@pytest.mark.django_db
def test_dashboard_and_alerts_name_metrics_that_are_told(told):
    dashboard = json.loads((DEPLOY / "monitoring" / "grafana.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    (group,) = yaml.safe_load((DEPLOY / "monitoring" / "alerts.yml").read_text())["groups"]
    asked += [rule["expr"] for rule in group["rules"]]
    named = {name for expr in asked for name in re.findall(r"\brumrunner_\w+", expr)}
    assert len(named) > 15
    assert named <= told
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"]
    autoscaled = next(each for each in objects() if each["kind"] == "HorizontalPodAutoscaler")
    assert autoscaled["spec"]["metrics"][0]["external"]["metric"]["name"] in told
