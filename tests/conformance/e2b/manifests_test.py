"""The manifests of packaging/kubernetes against Kubernetes' schemas and our own programs. usage: manifests_test.py SANDGLASS

OpenKruise's kinds have no published JSON schema: their keys are those of its API types (agents.kruise.io/v1alpha1, v0.3)."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parents[1] / "support"))
import require  # noqa: E402

SANDGLASS = sys.argv.pop(1)
try:
    import kubernetes_validate
    import yaml
except ImportError as problem:
    require.leave("e2b", "%s has no kubernetes-validate (%s); packaging/setup/e2b.sh installs it" % (sys.executable, problem))

FOLDER = ROOT / "packaging" / "kubernetes"
VERSIONS = ("1.30", "1.32", "1.34")
SANDBOX_SET = {"replicas", "template", "templateRef", "pauseStrategy", "persistentContents", "runtimes", "scaleStrategy", "updateStrategy"}
SCALED_OBJECT = {"scaleTargetRef", "pollingInterval", "cooldownPeriod", "initialCooldownPeriod", "idleReplicaCount", "minReplicaCount",
                 "maxReplicaCount", "fallback", "advanced", "triggers"}
REDIS_STREAMS = {"address", "addressFromEnv", "host", "hostFromEnv", "port", "portFromEnv", "username", "usernameFromEnv", "password",
                 "passwordFromEnv", "stream", "consumerGroup", "pendingEntriesCount", "streamLength", "lagCount", "activationLagCount",
                 "databaseIndex", "enableTLS", "unsafeSsl"}
RUNTIMES = {"csi", "agent-runtime", "traffic-proxy"}


def documents(name):
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


def only(kind):
    return [each for each in documents("server.yaml") if each["kind"] == kind][0]


def containers():
    spec = only("Deployment")["spec"]["template"]["spec"]
    return spec["initContainers"] + spec["containers"]


class Server(unittest.TestCase):
    def test_fits_the_schemas(self):
        for version in VERSIONS:
            for each in documents("server.yaml"):
                with self.subTest(version=version, kind=each["kind"]):
                    kubernetes_validate.validate(each, version, strict=True)

    def test_what_is_wrong_is_found(self):
        wrong = only("Deployment")
        wrong["spec"]["template"]["spec"]["containers"][0]["port"] = 1
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(wrong, VERSIONS[0], strict=True)

    def test_the_command_is_one_of_ours(self):
        server = containers()[-1]
        self.assertEqual(server["args"][0], "serve")
        told = subprocess.run([SANDGLASS, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        for word in server["args"]:
            if word.startswith("--"):
                self.assertIn("\n  %s " % word, told)
        port = server["args"][server["args"].index("--port") + 1]
        self.assertEqual([each["containerPort"] for each in server["ports"]], [int(port)])
        self.assertEqual(server["args"][server["args"].index("--address") + 1], "0.0.0.0")
        name, place = only("Service")["metadata"]["name"], only("Service")["metadata"]["namespace"]
        hosts = [server["args"][at + 1] for at, word in enumerate(server["args"]) if word == "--host"]
        self.assertEqual(hosts, ["%s.%s.svc" % (name, place), "%s.%s" % (name, place), name])

    def test_the_parts_know_each_other(self):
        labels = only("Deployment")["spec"]["template"]["metadata"]["labels"]
        for selector in (
            only("Deployment")["spec"]["selector"]["matchLabels"],
            only("Service")["spec"]["selector"],
            only("NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
        ):
            self.assertLessEqual(selector.items(), labels.items())
        spec = only("Deployment")["spec"]["template"]["spec"]
        volumes = {each["name"] for each in spec["volumes"]}
        for container in containers():
            self.assertLessEqual({each["name"] for each in container["volumeMounts"]}, volumes)
            self.assertFalse(container["securityContext"]["allowPrivilegeEscalation"])
            self.assertIn("limits", container["resources"])
        self.assertFalse(spec["hostUsers"])
        script = (FOLDER / "build-image.sh").read_text()
        for container in containers():
            self.assertIn("image=${1:-%s}" % container["image"], script)

    def test_the_graph_is_one(self):
        for name, text in only("ConfigMap")["data"].items():
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, name)
                path.write_text(text)
                checked = subprocess.run([SANDGLASS, "validate", str(path), "--json"], capture_output=True, text=True)
                self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
                self.assertEqual(json.loads(text)["sandbox"]["backend"], "bubblewrap")


class Pool(unittest.TestCase):
    def test_has_the_keys_of_its_kind(self):
        (pool,) = documents("openkruise.yaml")
        self.assertEqual((pool["apiVersion"], pool["kind"]), ("agents.kruise.io/v1alpha1", "SandboxSet"))
        self.assertLessEqual(set(pool["spec"]), SANDBOX_SET)
        self.assertLessEqual({each["name"] for each in pool["spec"]["runtimes"]}, RUNTIMES)
        self.assertIn(pool["spec"]["pauseStrategy"]["type"], ("Stop", "Hibernate"))
        self.assertEqual(set(pool["spec"]) & {"template", "templateRef"}, {"template"})

    def test_its_pods_fit_the_schemas(self):
        template = documents("openkruise.yaml")[0]["spec"]["template"]
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one", **template["metadata"]}, "spec": template["spec"]}
        for version in VERSIONS:
            kubernetes_validate.validate(pod, version, strict=True)

    def test_its_image_is_the_one_of_local_sandboxes(self):
        image = documents("openkruise.yaml")[0]["spec"]["template"]["spec"]["containers"][0]["image"]
        self.assertIn("image=${1:-%s}" % image, (ROOT / "packaging" / "runtime" / "build-image.sh").read_text())


class RolePool(unittest.TestCase):
    """packaging/pools/worker.yaml; its words in capitals are a person's to replace."""

    def setUp(self):
        text = (ROOT / "packaging" / "pools" / "worker.yaml").read_text()
        for word, value in (("ROLE", "research"), ("NAMESPACE", "default"), ("IMAGE", "example.com/sandglass:1")):
            text = text.replace(word, value)
        self.deployment, self.scaled = yaml.safe_load_all(text.replace("SANDGLASS_QUEUE_default", "SANDGLASS_QUEUE_NAMESPACE"))

    def test_fits_the_schemas(self):
        for version in VERSIONS:
            kubernetes_validate.validate(self.deployment, version, strict=True)

    def test_the_command_is_one_of_ours(self):
        (worker,) = self.deployment["spec"]["template"]["spec"]["containers"]
        told = subprocess.run([SANDGLASS, worker["args"][0], "--help"], capture_output=True, text=True, check=True).stdout
        for word in worker["args"]:
            if word.startswith("--"):
                self.assertIn("\n  %s " % word, told)
        port = self.deployment["spec"]["template"]["metadata"]["annotations"]["prometheus.io/port"]
        self.assertEqual(worker["args"][worker["args"].index("--metrics") + 1], port)
        self.assertEqual(worker["args"][worker["args"].index("--metrics-address") + 1], "0.0.0.0")
        self.assertEqual([each["containerPort"] for each in worker["ports"]], [int(port)])

    def test_keda_finds_what_it_scales(self):
        # KEDA publishes no JSON schema either: its keys are those of keda.sh/v1alpha1 and of its scaler redis-streams.
        self.assertEqual((self.scaled["apiVersion"], self.scaled["kind"]), ("keda.sh/v1alpha1", "ScaledObject"))
        spec = self.scaled["spec"]
        self.assertLessEqual(set(spec), SCALED_OBJECT)
        self.assertEqual(spec["scaleTargetRef"]["name"], self.deployment["metadata"]["name"])
        (trigger,) = spec["triggers"]
        self.assertEqual(trigger["type"], "redis-streams")
        self.assertLessEqual(set(trigger["metadata"]), REDIS_STREAMS)
        self.assertTrue(all(isinstance(value, str) for value in trigger["metadata"].values()))
        self.assertEqual(spec["minReplicaCount"], 0)  # which only the lag can do
        self.assertIn("lagCount", trigger["metadata"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
