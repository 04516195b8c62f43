"""A run and a worker that share no folder: large tasks, results and artifacts go through the bucket."""

import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pools"))

import json

import require
from buckets import BUCKET, CODE, GRAPH, SANDGLASS, BucketCase
from pools import Redis


class Pools(BucketCase):
    def setUp(self):
        require.need("redis")
        super().setUp()
        (self.folder / "redis").mkdir()
        self.redis = Redis(self.folder / "redis")
        self.addCleanup(self.redis.kill)

    def test_a_worker_elsewhere_gets_and_gives_large_things(self):
        project = self.project("first")
        graph = dict(GRAPH, name="first", nodes=[dict(GRAPH["nodes"][0], role="research")])
        graph["state"]["files"] = {"type": "last_value"}
        (project / "first.graph.json").write_text(json.dumps(graph))
        (project / "nodes/leave.py").write_text(CODE.replace('{"told": dict(os.environ)}', '{"told": "y" * 200000}'))
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        log = open(self.folder / "worker.log", "wb")
        self.addCleanup(log.close)
        worker = subprocess.Popen([SANDGLASS, "worker", "--role", "research", "--queue", self.redis.address, "--blobs", self.blobs,
                                   "--folder", str(elsewhere / "own")], cwd=elsewhere, env=self.environment(), stdout=log, stderr=log)
        self.addCleanup(worker.wait)
        self.addCleanup(worker.terminate)
        done = self.run_graph(project, {"a.txt": "x" * 100000, "big.bin": 500000}, "--queue", self.redis.address, "--blobs", self.blobs)
        self.assertEqual(len(done.document["values"]["told"]), 200000)
        self.assertEqual(sorted(each["path"] for each in done.document["artifacts"]), ["a.txt", "big.bin"])
        self.assertGreaterEqual(len(self.keys("parcels/")), 2)  # the task and its result
        self.assertEqual(len(self.keys()), 2)
        for sent in self.proxy.of("PUT", "/parcels/"):
            self.assertNotIn("if-none-match", sent["headers"])  # one that is sent again is young again
        # Payloads stay for a week after they were sent last, and uploads of theirs that broke off are ended.
        parcel = self.keys("parcels/")[0]
        self.s3.create_multipart_upload(Bucket=BUCKET, Key=parcel)
        self.proxy.ahead = 6 * 86400
        gc = ["artifacts", "gc", "--project", project, "--blobs", self.blobs]
        young = self.sandglass(*gc).document["bucket"]
        self.assertEqual((young["contents"], young["uploads"]), (0, 1))  # moto's uploads are all of 2010
        self.proxy.ahead = 8 * 86400
        self.assertGreaterEqual(self.sandglass(*gc).document["bucket"]["contents"], 2)
        self.assertEqual((self.keys("parcels/"), len(self.keys())), ([], 2))
        self.assertEqual(done.document["uploads"]["waiting"], 0)


if __name__ == "__main__":
    unittest.main()
