"""What no folder names any more goes from the bucket, and nothing else."""

import json
import unittest

from buckets import BUCKET, BucketCase


class Collection(BucketCase):
    def gc(self, folder, *words, code=0):
        return self.sandglass("artifacts", "gc", "--grace", "0", "--project", folder, "--blobs", self.blobs, *words, code=code)

    def test_what_another_folder_names_stays(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "shared", "b.txt": "own"}, "--blobs", self.blobs)
        second = self.project("second")
        self.run_graph(second, {"c.txt": "shared"}, "--blobs", self.blobs)
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first, "--blobs", self.blobs)
        would = self.gc(first, "--dry-run").document["bucket"]
        self.assertEqual((would["contents"], would["others"]), (1, 1))
        self.assertEqual(len(self.keys()), 2)
        done = self.gc(first).document["bucket"]
        self.assertEqual((done["contents"], done["bytes"], done["others"]), (1, 3, 1))
        self.assertEqual(self.keys(), [self.key_of(b"shared")])
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", second, "--blobs", self.blobs)
        self.assertEqual(self.gc(second).document["bucket"]["contents"], 1)
        self.assertEqual(self.keys(), [])
        self.assertEqual(self.keys("collecting"), [])

    def test_a_copied_list_names_what_it_has_once_it_has_spoken(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "one", "b.txt": "two"}, "--blobs", self.blobs)
        second = self.copy_of(first, "second")
        listed = self.sandglass("artifacts", "list", "--project", second).document
        one = next(each["id"] for each in listed if each["path"] == "a.txt")
        self.exported(second, "--blobs", self.blobs, one)
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        self.assertEqual(self.gc(first).document["bucket"]["contents"], 0)
        files, _ = self.exported(second, "--blobs", self.blobs)
        self.assertEqual(sorted(files.values()), [b"one", b"two"])

    def test_what_was_removed_and_comes_again_is_uploaded_again(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "again"}, "--blobs", self.blobs)
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        self.gc(first)
        self.assertEqual(self.keys(), [])
        self.run_graph(first, {"a.txt": "again"}, "--blobs", self.blobs, thread="u")
        self.assertEqual(self.keys(), [self.key_of(b"again")])

    def test_young_contents_stay_for_the_grace(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "young"}, "--blobs", self.blobs)
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        done = self.sandglass("artifacts", "gc", "--project", first, "--blobs", self.blobs)
        self.assertEqual(done.document["bucket"]["contents"], 0)
        self.assertEqual(len(self.keys()), 1)

    def test_two_do_not_collect_at_once(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "x"}, "--blobs", self.blobs)
        self.s3.put_object(Bucket=BUCKET, Key=self.prefix + "/collecting", Body=b"{}")
        done = self.gc(first, code=7)
        self.assertIn("another machine is collecting", done.stderr)
        self.assertEqual(self.keys("collecting"), [self.prefix + "/collecting"])

    def test_lines_that_cannot_be_read_end_it(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "x"}, "--blobs", self.blobs)
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        self.s3.put_object(Bucket=BUCKET, Key=self.prefix + "/names/someone/1", Body=b'{"later": "format"}\n')
        done = self.gc(first, code=1)
        self.assertIn("nothing is removed", done.stderr)
        self.assertEqual(len(self.keys()), 1)

    def test_each_line_says_what_has_the_content(self):
        first = self.project("first")
        self.run_graph(first, {"a.txt": "x", "b.txt": "y"}, "--blobs", self.blobs)
        lines = [json.loads(line) for key in self.keys("names/")
                 for line in self.s3.get_object(Bucket=BUCKET, Key=key)["Body"].read().splitlines()]
        self.assertEqual(sorted(each["path"] for each in lines), ["a.txt", "b.txt"])
        self.gc(first)
        self.assertEqual(len(self.keys("names/")), 1)


if __name__ == "__main__":
    unittest.main()
