"""Artifacts in a bucket that several folders share, and carried to it and back."""

import json
import os
import shutil
import unittest

from buckets import BUCKET, BucketCase, KEY, SECRET


class Sharing(BucketCase):
    def test_a_run_brings_its_artifacts_to_the_bucket_and_another_folder_gets_them(self):
        first = self.project("first")
        done = self.run_graph(first, {"report.txt": "hello", "sub/data.csv": "a,b\n1,2\n", "big.bin": 300000}, "--blobs", self.blobs)
        self.assertEqual(done.document["uploads"], {"place": self.blobs, "waiting": 0, "bytes": 0, "error": None})
        self.assertEqual(len(self.keys()), 3)
        self.assertEqual(self.s3.get_object(Bucket=BUCKET, Key=self.key_of(b"hello"))["Body"].read(), b"hello")
        second = self.copy_of(first, "second")
        listed = self.sandglass("artifacts", "list", "--project", second, "--blobs", self.blobs).document
        self.assertEqual(sorted(each["path"] for each in listed), ["big.bin", "report.txt", "sub/data.csv"])
        files, _ = self.exported(second, "--blobs", self.blobs)
        self.assertEqual(files["report.txt"], b"hello")
        self.assertEqual(files["sub/data.csv"], b"a,b\n1,2\n")
        self.assertEqual(len(files["big.bin"]), 300000)
        self.assertTrue(self.blob(second, b"hello").exists())  # the folder is a cache

    def test_without_the_bucket_the_second_folder_lacks_them(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "alone"}, "--blobs", self.blobs)
        second = self.copy_of(first, "second")
        files, done = self.exported(second, code=1)
        self.assertEqual(files, {})

    def test_a_project_is_carried_to_the_bucket_and_back(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "one", "b.txt": "two"})
        self.assertEqual(self.keys(), [])
        moved = self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first).document
        self.assertEqual(moved, {"from": str(first / ".sandglass/blobs"), "to": self.blobs, "artifacts": 2, "contents": 2,
                                 "bytes": 6, "carried": 2, "carried_bytes": 6, "waiting": 0, "error": None, "lost": []})
        self.assertEqual(len(self.keys()), 2)
        again = self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first).document
        self.assertEqual(again["carried"], 0)
        # It need not be said again: a new run goes there, and a content that the folder lost comes from there.
        self.run_graph(first, {"c.txt": "three"}, thread="u")
        self.assertEqual(len(self.keys()), 3)
        self.blob(first, b"one").unlink()
        files, _ = self.exported(first)
        self.assertEqual(sorted(files.values()), [b"one", b"three", b"two"])
        # Back again: the folder has all of it, and nothing is asked of the bucket any more.
        self.blob(first, b"two").unlink()
        back = self.sandglass("storage", "move", "--blobs", "none", "--project", first).document
        self.assertEqual((back["from"], back["carried"], back["lost"]), (self.blobs, 1, []))
        self.assertEqual(self.keys("names/"), [])
        before = len(self.proxy.requests)
        files, _ = self.exported(first)
        self.assertEqual(len(files), 3)
        self.run_graph(first, {"d.txt": "four"}, thread="v")
        self.assertEqual(len(self.proxy.requests), before)

    def test_from_one_bucket_to_another(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "one"})
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first)
        self.blob(first, b"one").unlink()
        moved = self.sandglass("storage", "move", "--blobs", self.blobs + "-other", "--project", first).document
        self.assertEqual(moved["carried"], 1)
        other = self.key_of(b"one").replace(self.prefix + "/", self.prefix + "-other/", 1)
        self.assertEqual(self.s3.get_object(Bucket=BUCKET, Key=other)["Body"].read(), b"one")

    def test_what_is_lost_already_is_told_and_the_rest_is_carried(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "one", "b.txt": "two"})
        self.blob(first, b"one").unlink()
        done = self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first, code=1)
        self.assertEqual((done.document["carried"], len(done.document["lost"])), (1, 1))
        self.assertEqual(len(self.keys()), 1)

    def test_a_project_from_elsewhere_does_not_choose_a_bucket(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "one"})
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first)
        other = self.folder / "other"
        shutil.copytree(first, other)
        before = len(self.proxy.requests)
        done = self.sandglass("artifacts", "export", "--project", other, "-o", self.folder / "x", code=1)
        self.assertIn("not allowed", done.stderr)
        self.assertIn("storage move --blobs " + self.blobs, done.stderr)
        (other / "sandbox.env").write_text("SANDGLASS_BLOBS=%s-third\n" % self.blobs)
        done = self.sandglass("run", other, "--thread", "w", "--input", "{}", code=1)
        self.assertIn("not allowed", done.stderr)
        self.assertEqual(len(self.proxy.requests), before)

    def test_keys_are_in_no_sandbox_and_in_no_artifact(self):
        first = self.project("first")
        done = self.run_graph(first, {"a.txt": "one"}, "--blobs", self.blobs)
        self.assertNotIn("AWS_SECRET_ACCESS_KEY", done.document["values"]["told"])
        self.assertNotIn(KEY, json.dumps(done.document))
        refused = self.run_graph(first, {"key.txt": "it is " + SECRET}, "--blobs", self.blobs, thread="s", code=4)
        self.assertEqual(refused.document["error"]["type"], "ArtifactRefused")
        self.assertEqual(len(self.keys()), 1, refused.document)

    def test_keys_come_from_a_profile(self):
        first = self.project("first")
        (self.folder / "credentials").write_text(
            "[default]\naws_access_key_id = WRONG\naws_secret_access_key = wrong\n"
            "[work]\naws_access_key_id = %s\naws_secret_access_key = %s\n" % (KEY, SECRET))
        (self.folder / "config").write_text("[profile work]\nregion = us-east-1\ns3 =\n    addressing_style = path\n"
                                            "endpoint_url = %s\n" % self.proxy.address)
        names = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_REGION": "", "AWS_ENDPOINT_URL_S3": "",
                 "AWS_CONFIG_FILE": str(self.folder / "config"), "AWS_SHARED_CREDENTIALS_FILE": str(self.folder / "credentials")}
        self.run_graph(first, {"a.txt": "one"}, "--blobs", self.blobs, AWS_PROFILE="work", **names)
        self.assertEqual(len(self.keys()), 1)
        self.run_graph(first, {"b.txt": "two"}, "--blobs", self.blobs + "?profile=work", thread="u", **names)
        self.assertEqual(len(self.keys()), 2)
        done = self.run_graph(first, {}, "--blobs", self.blobs + "?profile=absent", thread="v", code=2, **names)
        self.assertIn('"absent"', done.stderr)

    def test_without_keys_a_run_does_not_begin(self):
        first = self.project("first")
        done = self.run_graph(first, {"a.txt": "one"}, "--blobs", self.blobs, code=1, AWS_ACCESS_KEY_ID="")
        self.assertIn("AWS_ACCESS_KEY_ID", done.stderr)

    def test_the_folder_keeps_no_more_than_it_may(self):
        first = self.project("first")
        files = {"f%d.bin" % number: 300000 for number in range(10)}
        self.run_graph(first, files, "--blobs", self.blobs, BLOBSTORE_MB="1")
        held = sum(path.stat().st_size for path in (first / ".sandglass/blobs").rglob("*") if len(path.name) == 64)
        self.assertLessEqual(held, 1 << 20)
        self.assertEqual(len(self.keys()), 10)
        exported, _ = self.exported(first, "--blobs", self.blobs, BLOBSTORE_MB="1")
        self.assertEqual(len(exported), 10)
        held = sum(path.stat().st_size for path in (first / ".sandglass/blobs").rglob("*") if len(path.name) == 64)
        self.assertLessEqual(held, 1 << 20)


if __name__ == "__main__":
    unittest.main()
