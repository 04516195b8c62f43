"""Artifacts in a bucket that several folders share, and carried to it and back."""

import json
import os
import shutil
import subprocess
import unittest

from buckets import BUCKET, BucketCase, GRAPH, KEY, SANDGLASS, SECRET, bytes_of


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
        first = self.moved("first", {"a.txt": "alone"})
        second = self.copy_of(first, "second")
        files, done = self.exported(second, code=1)
        self.assertEqual(files, {})

    def test_a_project_is_carried_to_the_bucket_and_back(self):
        first = self.stored("first", {"a.txt": "one", "b.txt": "two"})
        self.assertEqual(self.keys(), [])
        moved = self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first).document
        self.assertEqual(moved, {"from": str(first / ".sandglass/blobs"), "to": self.blobs, "artifacts": 2, "contents": 2,
                                 "bytes": 6, "carried": 2, "carried_bytes": 6, "waiting": 0, "error": None, "lost": [], "overruled_by": None})
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
        first = self.stored("first", {"a.txt": "one"})
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first)
        self.blob(first, b"one").unlink()
        moved = self.sandglass("storage", "move", "--blobs", self.blobs + "-other", "--project", first).document
        self.assertEqual(moved["carried"], 1)
        other = self.key_of(b"one").replace(self.prefix + "/", self.prefix + "-other/", 1)
        self.assertEqual(self.s3.get_object(Bucket=BUCKET, Key=other)["Body"].read(), b"one")

    def test_what_has_the_size_alone_is_not_taken_for_the_content(self):
        first = self.project("first")
        big = bytes_of("big.bin", 9 << 20)
        self.run_graph(first, {"a.txt": "one", "big.bin": 9 << 20})
        self.s3.put_object(Bucket=BUCKET, Key=self.key_of(b"one"), Body=b"eno")
        self.s3.put_object(Bucket=BUCKET, Key=self.key_of(big), Body=big[::-1])
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first)
        for content in (b"one", big):
            self.assertEqual(self.s3.get_object(Bucket=BUCKET, Key=self.key_of(content))["Body"].read(), content)
        reads = len(self.proxy.of("GET", "blobs/"))
        self.run_graph(first, {"b.txt": "one"}, thread="u")
        self.assertEqual(len(self.proxy.of("GET", "blobs/")), reads)  # it was compared before

    def test_what_is_lost_already_is_told_and_the_rest_is_carried(self):
        first = self.stored("first", {"a.txt": "one", "b.txt": "two"})
        self.blob(first, b"one").unlink()
        done = self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first, code=1)
        self.assertEqual((done.document["carried"], len(done.document["lost"])), (1, 1))
        self.assertEqual(len(self.keys()), 1)

    def test_a_project_from_elsewhere_does_not_choose_a_bucket(self):
        first = self.stored("first", {"a.txt": "one"})
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first)
        other = self.folder / "other"
        shutil.copytree(first, other)
        before = len(self.proxy.requests)
        done = self.sandglass("artifacts", "export", "--project", other, "-o", self.folder / "x", code=1)
        self.assertIn("not allowed", done.stderr)
        self.assertIn("--blobs " + self.blobs, done.stderr)
        (other / "sandbox.env").write_text("SANDGLASS_BLOBS=%s-third\n" % self.blobs)
        done = self.sandglass("run", other, "--thread", "w", "--input", "{}", code=1)
        self.assertIn("not allowed", done.stderr)
        self.assertEqual(len(self.proxy.requests), before)

    def test_a_project_that_names_a_bucket_can_say_no_command(self):
        first = self.project("first")
        (first / "sandbox.env").write_text('SANDGLASS_BLOBS="%s?ca=/x;touch %s|sh"\n' % (self.blobs, self.folder / "evil"))
        done = self.sandglass("run", first, "--thread", "w", "--input", "{}", code=2)
        self.assertNotIn("storage move", done.stderr)
        self.assertIn("no option", done.stderr)
        (first / "sandbox.env").write_text('SANDGLASS_BLOBS="%s?region=us-east-1&path_style=yes"\n' % self.blobs)
        done = self.sandglass("run", first, "--thread", "w", "--input", "{}", code=1)
        self.assertIn("--blobs '%s?region=us-east-1&path_style=yes'" % self.blobs, done.stderr)

    def test_a_place_that_a_stronger_setting_names_is_not_left(self):
        first = self.moved("first", {"a.txt": "one"})
        (first / ".sandglass/places.env").unlink()
        names = self.keys("names/")
        back = self.sandglass("storage", "move", "--blobs", "none", "--project", first, code=1, SANDGLASS_BLOBS=self.blobs)
        self.assertIn("SANDGLASS_BLOBS in the environment", back.stderr)
        self.assertEqual(back.document["overruled_by"], "SANDGLASS_BLOBS in the environment")
        self.assertTrue(set(names) <= set(self.keys("names/")))
        other = self.sandglass("storage", "move", "--blobs", self.blobs + "-other", "--project", first, code=1, SANDGLASS_BLOBS=self.blobs)
        self.assertEqual(other.document["overruled_by"], "SANDGLASS_BLOBS in the environment")
        self.assertTrue(set(names) <= set(self.keys("names/")))
        # The same place, said in other words, is not left.
        same = self.sandglass("storage", "move", "--blobs", self.blobs + "?region=us-east-1", "--project", first, SANDGLASS_BLOBS=self.blobs)
        self.assertEqual((same.document["carried"], same.document["overruled_by"]), (0, None))
        self.assertTrue(set(names) <= set(self.keys("names/")))

    def test_a_thread_that_goes_on_keeps_its_bucket(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "one"}, "--blobs", self.blobs)
        done = self.sandglass("update", first, "--thread", "t", "--values", '{"files": {"b.txt": "two"}}', "--as-node", "__start__",
                              "--blobs", self.blobs)
        self.assertEqual(done.returncode, 0)
        told = subprocess.run([SANDGLASS, "fork", str(first), "--thread", "t", "--as-node", "__start__", "--blobs", self.blobs],
                              capture_output=True, text=True, env=self.environment())
        self.assertIn("--blobs '%s'" % self.blobs, told.stdout)

    def test_an_answer_goes_on_in_the_bucket(self):
        asking = dict(GRAPH, nodes=[{"name": "ask", "kind": "human", "question": "Which?", "channel": "told"}, GRAPH["nodes"][0]],
                      edges=[["__start__", "ask"], ["ask", "leave"], ["leave", "__end__"]])
        first = self.project("first")
        (first / "first.graph.json").write_text(json.dumps(dict(asking, name="first")))
        self.run_graph(first, {"a.txt": "one"}, "--blobs", self.blobs, code=5)
        self.sandglass("inbox", "answer", "t", "--answer", "this", "--project", first, "--blobs", self.blobs)
        self.assertEqual(len(self.keys()), 1)

    def test_a_thread_larger_than_the_cache_is_bundled(self):
        first = self.project("first")
        files = {"f%d.bin" % number: 300000 for number in range(10)}
        self.run_graph(first, files, "--blobs", self.blobs, BLOBSTORE_MB="1")
        bundle = self.folder / "t.sgz"
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first)
        done = self.sandglass("bundle", "export", "--thread", "t", "--project", first, "-o", bundle, BLOBSTORE_MB="1")
        self.assertTrue(bundle.exists(), done.stdout)
        self.assertEqual([path.name for path in (first / ".sandglass").glob(".bundle-*")], [])

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
