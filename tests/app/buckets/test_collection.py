"""What no folder names any more goes from the bucket, and nothing else."""

import json
import sqlite3
import subprocess
import unittest

from buckets import BUCKET, BucketCase, LoseAnswer, Meanwhile, Refuse, SANDGLASS, gets, puts, wait_for


def deletes(part):
    return lambda request: request["method"] == "DELETE" and part in request["path"]


def conditional(request):
    return request["method"] == "PUT" and "if-none-match" in request["headers"]


def ignored(handler, _):
    del handler.headers["if-none-match"]


class Collection(BucketCase):
    def gc(self, folder, *words, code=0):
        return self.sandglass("artifacts", "gc", "--grace", "0", "--project", folder, "--blobs", self.blobs, *words, code=code)

    def test_what_another_folder_names_stays(self):
        first = self.moved("first", {"a.txt": "shared", "b.txt": "own"})
        second = self.moved("second", {"c.txt": "shared"})
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
        first = self.moved("first", {"a.txt": "one", "b.txt": "two"})
        second = self.copy_of(first, "second")
        listed = self.sandglass("artifacts", "list", "--project", second).document
        one = next(each["id"] for each in listed if each["path"] == "a.txt")
        self.exported(second, "--blobs", self.blobs, one)
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        self.assertEqual(self.gc(first).document["bucket"]["contents"], 0)
        files, _ = self.exported(second, "--blobs", self.blobs)
        self.assertEqual(sorted(files.values()), [b"one", b"two"])

    def test_what_was_removed_and_comes_again_is_uploaded_again(self):
        first = self.moved("first", {"a.txt": "again"})
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        self.gc(first)
        self.assertEqual(self.keys(), [])
        self.run_graph(first, {"a.txt": "again"}, "--blobs", self.blobs, thread="u")
        self.assertEqual(self.keys(), [self.key_of(b"again")])

    def test_young_contents_stay_for_the_grace(self):
        first = self.moved("first", {"a.txt": "young"})
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        done = self.sandglass("artifacts", "gc", "--project", first, "--blobs", self.blobs)
        self.assertEqual(done.document["bucket"]["contents"], 0)
        self.assertEqual(len(self.keys()), 1)

    def test_two_do_not_collect_at_once(self):
        first = self.moved("first", {"a.txt": "x"})
        self.s3.put_object(Bucket=BUCKET, Key=self.prefix + "/collecting", Body=b"{}")
        done = self.gc(first, code=7)
        self.assertIn("another machine is collecting", done.stderr)
        self.assertEqual(self.keys("collecting"), [self.prefix + "/collecting"])

    def test_lines_that_cannot_be_read_end_it(self):
        first = self.moved("first", {"a.txt": "x"})
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        self.s3.put_object(Bucket=BUCKET, Key=self.prefix + "/names/someone/1", Body=b'{"later": "format"}\n')
        done = self.gc(first, code=1)
        self.assertIn("nothing is removed", done.stderr)
        self.assertEqual(len(self.keys()), 1)

    def test_each_line_says_what_has_the_content(self):
        first = self.moved("first", {"a.txt": "x", "b.txt": "y"})
        lines = [json.loads(line) for key in self.keys("names/")
                 for line in self.s3.get_object(Bucket=BUCKET, Key=key)["Body"].read().splitlines()]
        self.assertEqual(sorted({each["path"] for each in lines}), ["a.txt", "b.txt"])
        self.gc(first)
        self.assertEqual(len(self.keys("names/")), 1)

    def test_two_that_collect_at_once_leave_what_is_named(self):
        first, second = self.moved("first", {"a.txt": "first"}), self.moved("second", {"b.txt": "second"})
        self.proxy.faults = [Meanwhile(gets("/names/"), lambda *_: self.gc(first, code=7))]
        self.gc(second)
        self.assertEqual(self.proxy.faults[0].seen, 1)
        self.assertEqual(sorted(self.keys()), sorted([self.key_of(b"first"), self.key_of(b"second")]))
        self.gc(first)
        self.assertEqual(len(self.keys()), 2)

    def test_names_that_go_while_they_are_read_end_it(self):
        first, second = self.moved("first", {"a.txt": "first"}), self.moved("second", {"b.txt": "second"})
        self.proxy.faults = [Refuse(gets("/names/"), 404, "NoSuchKey", "", times=1)]
        self.assertIn("were changed", self.gc(second, code=7).stderr)
        self.assertEqual((len(self.keys()), self.keys("collecting")), (2, []))

    def test_a_run_in_the_folder_that_is_being_collected_keeps_its_contents(self):
        first = self.moved("first", {"a.txt": "one"})
        self.s3.put_object(Bucket=BUCKET, Key=self.key_of(b"from before"), Body=b"from before")
        self.proxy.faults = [Meanwhile(puts("/collecting"), lambda *_: self.run_graph(
            first, {"b.txt": "from before"}, "--blobs", self.blobs, thread="u"))]
        self.gc(first)
        self.assertEqual(self.proxy.faults[0].seen, 1)
        self.assertEqual(sorted(self.keys()), sorted([self.key_of(b"one"), self.key_of(b"from before")]))

    def test_what_is_fetched_while_somebody_collects_is_not_lost(self):
        first = self.moved("first", {"a.txt": "one"})
        second = self.copy_of(first, "second")
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        fetching = []

        def fetch(*_):
            words = ["artifacts", "export", "--project", second, "-o", self.folder / "out", "--blobs", self.blobs]
            before = len(self.proxy.of("HEAD", "/collecting"))
            fetching.append(subprocess.Popen([SANDGLASS, *map(str, words)], env=self.environment()))
            wait_for(lambda: fetching[0].poll() is not None or len(self.proxy.of("HEAD", "/collecting")) > before, "the fetch is under way")

        self.proxy.faults = [Meanwhile(deletes("/blobs/"), fetch)]
        self.gc(first)
        self.assertEqual(fetching[0].wait(60), 1)  # nobody had named it in time, and that is told
        self.assertEqual(self.keys(), [])
        self.assertFalse(self.blob(second, b"one").exists())

    def test_a_lost_answer_is_no_other_machine(self):
        first = self.moved("first", {"a.txt": "x"})
        self.proxy.faults = [LoseAnswer(puts("/collecting"), times=1)]
        self.gc(first)
        self.assertEqual(self.keys("collecting"), [])

    def test_without_conditions_nobody_collects(self):
        for name, fault in (("ignored", Meanwhile(conditional, ignored, times=1000)), ("refused", Refuse(conditional, 501, "NotImplemented", ""))):
            with self.subTest(name):
                self.proxy.faults = [fault]
                project = self.moved(name, {"a.txt": name})
                self.sandglass("artifacts", "delete", "--thread", "t", "--project", project)
                self.assertIn("If-None-Match", self.gc(project, code=1).stderr)
                self.assertIn(self.key_of(name.encode()), self.keys())
                self.assertEqual(self.keys("collecting"), [])

    def test_a_key_that_may_not_remove_holds_nobody_up(self):
        first = self.moved("first", {"a.txt": "x"})
        self.proxy.faults = [Refuse(deletes(""), 403, "AccessDenied", "Access Denied")]
        self.assertIn("s3:DeleteObject", self.gc(first, code=1).stderr)
        self.assertEqual(self.keys("collecting"), [])

    def test_a_collection_that_was_broken_off_counts_for_a_quarter_of_an_hour(self):
        first = self.moved("first", {"a.txt": "x"})
        self.s3.put_object(Bucket=BUCKET, Key=self.prefix + "/collecting", Body=b"{}")
        self.proxy.ahead = 14 * 60
        self.gc(first, code=7)
        self.proxy.ahead = 16 * 60
        self.gc(first)
        self.assertEqual(self.keys("collecting"), [])

    def test_a_collection_that_takes_long_ends_and_leaves_the_way_free(self):
        first = self.moved("first", {"a.txt": "x"})
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)

        def later(*_):
            self.proxy.ahead = 11 * 60

        self.s3.put_object(Bucket=BUCKET, Key=self.prefix + "/names/someone/1", Body=b"")
        self.proxy.faults = [Meanwhile(gets("/names/"), later)]
        self.assertIn("collect again", self.gc(first, code=1).stderr)
        self.assertEqual((len(self.keys()), self.keys("collecting")), (1, []))

    def test_many_small_lists_of_names_become_one(self):
        first = self.moved("first", {"a.txt": "one"})
        told = self.keys("names/")[0]
        line = self.s3.get_object(Bucket=BUCKET, Key=told)["Body"].read()
        for number in range(110):
            self.s3.put_object(Bucket=BUCKET, Key=told + "-%d" % number, Body=line)
        with sqlite3.connect(first / ".sandglass/blobs/bucket.sqlite") as ledger:
            ledger.execute("UPDATE holders SET told = 99")
        ledger.close()
        self.run_graph(first, {"b.txt": "two"}, "--blobs", self.blobs, thread="u")
        self.assertEqual(len(self.keys("names/")), 1)
        self.assertEqual(self.keys("collecting"), [])
        self.gc(first)
        self.assertEqual(len(self.keys()), 2)

    def test_a_list_that_breaks_off_is_no_list(self):
        first = self.moved("first", {"a.txt": "x"})
        self.sandglass("artifacts", "delete", "--thread", "t", "--project", first)
        for name, answer in (("without a token", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
                             ("the old kind", "<ListBucketResult><IsTruncated>true</IsTruncated><NextMarker>m</NextMarker></ListBucketResult>"),
                             ("another document", "<Result><IsTruncated>false</IsTruncated></Result>"),
                             ("silent", "<ListBucketResult></ListBucketResult>")):
            with self.subTest(name):
                fault = Refuse(lambda request: request["method"] == "GET" and "names%2F" in request["target"], 200)
                fault.body = answer.encode()
                self.proxy.faults = [fault]
                self.assertIn("list", self.gc(first, code=1).stderr)
                self.assertGreaterEqual(fault.seen, 1)
                self.assertEqual(len(self.keys()), 1)


if __name__ == "__main__":
    unittest.main()
