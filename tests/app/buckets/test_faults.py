"""What an S3 service may do wrong: it is waited out, or told in its own words; nothing is lost and nothing wrong is served."""

import time
import unittest

from buckets import BUCKET, BucketCase, Drop, Endless, Refuse, Slow, free_port, gets, puts


class Faults(BucketCase):
    def test_faults_that_pass_are_waited_out(self):
        for name, fault in {
            "slow_down": Refuse(puts("blobs/"), 503, "SlowDown", "Please reduce your request rate.", times=3),
            "internal": Refuse(puts("blobs/"), 500, "InternalError", "We encountered an internal error.", times=3),
            "dropped": Drop(puts("blobs/"), times=3),
            "garbage": Drop(puts("blobs/"), times=2, before=b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"),
            "slow": Slow(puts("blobs/"), 0.5, times=2),
            "throttled": Refuse(puts("blobs/"), 429, "TooManyRequests", "", times=1, headers=[("Retry-After", "1")]),
        }.items():
            with self.subTest(name):
                self.proxy.faults = [fault]
                self.moved(name, {"a.txt": name})
                self.assertGreaterEqual(fault.seen, 1)
                self.assertIn(self.key_of(name.encode()), self.keys())

    def test_a_service_that_is_away_fails_no_run_and_loses_nothing(self):
        project = self.project("away")
        away = {"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:%d" % free_port(), "AWS_MAX_ATTEMPTS": "2"}
        done = self.run_graph(project, {"a.txt": "kept", "b.txt": "too"}, "--blobs", self.blobs, **away)
        self.assertEqual(done.document["uploads"]["waiting"], 2)
        self.assertIn("not in " + self.blobs + " yet", done.stderr)
        self.assertIn("sandglass artifacts push", done.stderr)
        files, _ = self.exported(project, "--blobs", self.blobs, **away)
        self.assertEqual(files["a.txt"], b"kept")
        told = self.sandglass("artifacts", "gc", "--project", project, "--blobs", self.blobs, code=1, **away)
        self.assertEqual(told.document["error"]["code"], "failed")
        failed = self.sandglass("artifacts", "push", "--project", project, "--blobs", self.blobs, code=1, **away)
        self.assertEqual(failed.document["waiting"], 2)
        pushed = self.sandglass("artifacts", "push", "--project", project, "--blobs", self.blobs).document
        self.assertEqual((pushed["pushed"], pushed["waiting"], pushed["error"]), (2, 0, None))
        self.assertEqual(len(self.keys()), 2)

    def test_a_content_that_is_nowhere_is_told_and_the_others_go(self):
        project = self.project("gone")
        away = {"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:%d" % free_port(), "AWS_MAX_ATTEMPTS": "2"}
        self.run_graph(project, {"a.txt": "lost", "b.txt": "kept", "c.txt": "too"}, "--blobs", self.blobs, **away)
        self.blob(project, b"lost").unlink()
        done = self.sandglass("artifacts", "push", "--project", project, "--blobs", self.blobs, code=1)
        self.assertEqual((done.document["pushed"], done.document["waiting"]), (2, 1))
        self.assertIn("is neither in", done.document["error"])
        run = self.run_graph(project, {"d.txt": "next"}, "--blobs", self.blobs, thread="u")
        self.assertEqual(run.document["uploads"]["waiting"], 1)  # it is told until it is given up
        listed = self.sandglass("artifacts", "list", "--project", project).document
        lost = next(each["id"] for each in listed if each["path"] == "a.txt")
        self.sandglass("artifacts", "delete", lost, "--project", project)
        self.sandglass("artifacts", "gc", "--project", project, "--blobs", self.blobs)
        self.assertEqual(self.sandglass("artifacts", "push", "--project", project, "--blobs", self.blobs).document["waiting"], 0)

    def test_a_damaged_content_does_not_hold_up_the_others(self):
        project = self.project("damaged")
        away = {"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:%d" % free_port(), "AWS_MAX_ATTEMPTS": "2"}
        files = {"f%d.txt" % number: "content %d" % number for number in range(40)}
        self.run_graph(project, files, "--blobs", self.blobs, **away)
        for number in (0, 20):
            path = self.blob(project, b"content %d" % number)
            path.chmod(0o644)
            path.write_text("damaged")
        done = self.sandglass("artifacts", "push", "--project", project, "--blobs", self.blobs, code=1)
        self.assertEqual((done.document["pushed"], done.document["waiting"]), (38, 2))
        self.assertIn("does not match its SHA-256", done.document["error"])
        moved = self.sandglass("storage", "move", "--blobs", self.blobs + "-other", "--project", project, code=1)
        self.assertEqual((moved.document["carried"], moved.document["waiting"]), (38, 2))
        self.blob(project, b"content 20").write_text("content 20")  # repaired
        done = self.sandglass("artifacts", "push", "--project", project, "--blobs", self.blobs, code=1)
        self.assertEqual((done.document["pushed"], done.document["waiting"]), (1, 1))

    def test_the_next_run_goes_on_with_what_waits(self):
        project = self.project("next")
        away = {"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:%d" % free_port(), "AWS_MAX_ATTEMPTS": "2"}
        self.run_graph(project, {"a.txt": "first"}, "--blobs", self.blobs, **away)
        done = self.run_graph(project, {"b.txt": "second"}, "--blobs", self.blobs, thread="u")
        self.assertEqual(done.document["uploads"]["waiting"], 0)
        self.assertEqual(len(self.keys()), 2)

    def test_refusals_are_told_in_the_services_words_with_what_to_do(self):
        skew = "<RequestTime>20260101T000000Z</RequestTime><ServerTime>2026-01-01T01:00:00Z</ServerTime>"
        for name, fault, told in (
            ("denied", Refuse(puts(), 403, "AccessDenied", "Access Denied"), ["403 AccessDenied: Access Denied", "s3:PutObject"]),
            ("signature", Refuse(puts(), 403, "SignatureDoesNotMatch", "It differs."), ["SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY"]),
            ("skewed", Refuse(puts(), 403, "RequestTimeTooSkewed", "The difference is too large.", more=skew),
             ["RequestTimeTooSkewed", "20260101T000000Z", "2026-01-01T01:00:00Z", "clock"]),
            ("region", Refuse(puts(), 301, "PermanentRedirect", "Use the endpoint.", headers=[("x-amz-bucket-region", "eu-west-1")]),
             ["301 PermanentRedirect", "AWS_REGION=eu-west-1"]),
            ("malformed", Refuse(puts(), 400, "AuthorizationHeaderMalformed", "the region is wrong", more="<Region>eu-west-1</Region>"),
             ["400 AuthorizationHeaderMalformed", "AWS_REGION=eu-west-1"]),
            ("bomb", Refuse(puts(), 403, "", ""), ["403"]),
        ):
            with self.subTest(name):
                self.proxy.faults = [fault]
                if name == "bomb":
                    fault.body = b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;&b;">]><Error><Code>&c;</Code></Error>'
                project = self.stored(name, {"a.txt": name})
                begun = time.monotonic()
                done = self.sandglass("storage", "move", "--blobs", self.blobs, "--project", project, code=1)
                for part in told:
                    self.assertIn(part, done.stdout + done.stderr)
                self.assertLess(time.monotonic() - begun, 60)
                self.assertLessEqual(fault.seen, 3)  # asking again does not help

    def test_a_bucket_that_is_missing(self):
        project = self.project("missing")
        done = self.run_graph(project, {"a.txt": "x"}, "--blobs", "s3://no-such-bucket-here/p")
        self.assertIn("404 NoSuchBucket", done.stderr)
        self.assertIn("aws s3 mb s3://no-such-bucket-here", done.stderr)
        self.assertEqual(done.document["uploads"]["waiting"], 1)

    def test_without_a_chosen_region_the_bucket_s_is_taken(self):
        self.proxy.faults = [Refuse(lambda request: "/us-east-1/" in request["headers"]["authorization"], 301, "PermanentRedirect", "",
                                    headers=[("x-amz-bucket-region", "eu-west-1")])]
        done = self.run_graph(self.project("regions"), {"a.txt": "x"}, "--blobs", self.blobs, AWS_REGION="")
        self.assertEqual(done.document["uploads"]["waiting"], 0, done.stderr)
        self.assertIn("/eu-west-1/", self.proxy.of("PUT", "blobs/")[-1]["headers"]["authorization"])

    def test_a_wrong_content_is_refused(self):
        first = self.moved("first", {"a.txt": "right", "b.txt": "other"})
        second = self.copy_of(first, "second")
        self.s3.put_object(Bucket=BUCKET, Key=self.key_of(b"right"), Body=b"wrong")
        files, done = self.exported(second, "--blobs", self.blobs, code=1)
        self.assertEqual(list(files.values()), [b"other"])
        self.assertIn("does not match its SHA-256", done.stderr)
        self.assertFalse(self.blob(second, b"right").exists())
        self.assertFalse(self.blob(second, b"wrong").exists())

    def test_a_body_without_an_end_is_ended(self):
        first = self.moved("first", {"a.txt": "right"})
        second = self.copy_of(first, "second")
        endless = Endless(gets("blobs/"))
        self.proxy.faults = [endless]
        files, done = self.exported(second, "--blobs", self.blobs, code=1)
        self.assertEqual(files, {})
        self.assertIn("goes on after the 5 bytes", done.stderr)
        self.assertLess(endless.sent, 32 << 20)
        self.assertEqual(list((second / ".sandglass/blobs/tmp").iterdir()), [])

    def test_a_length_that_is_too_large_is_refused_at_once(self):
        first = self.moved("first", {"a.txt": "right"})
        second = self.copy_of(first, "second")
        self.proxy.faults = [Drop(gets("blobs/"), before=b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx")]
        files, done = self.exported(second, "--blobs", self.blobs, code=1)
        self.assertIn("99999999999 bytes, more than the 5", done.stderr)

    def test_a_read_goes_on_where_the_connection_broke(self):
        first = self.moved("first", {"big.bin": 3000000})
        second = self.copy_of(first, "second")
        from buckets import bytes_of
        content = bytes_of("big.bin", 3000000)
        etag = self.s3.head_object(Bucket=BUCKET, Key=self.key_of(content))["ETag"]
        head = ("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\nETag: %s\r\n\r\n" % etag).encode()
        self.proxy.faults = [Drop(gets("blobs/"), times=1, before=head + content[:1000000])]
        files, _ = self.exported(second, "--blobs", self.blobs)
        self.assertEqual(files["big.bin"], content)
        ranges = [each["headers"].get("range") for each in self.proxy.of("GET", "blobs/")]
        self.assertEqual(ranges, [None, "bytes=1000000-"])


if __name__ == "__main__":
    unittest.main()
