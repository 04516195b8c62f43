"""Large artifacts go in parts; an upload that was broken off goes on behind the parts that are there."""

import signal
import subprocess
import unittest

from buckets import BUCKET, BucketCase, Refuse, SANDGLASS, Slow, bytes_of, wait_for

SIZE = 30 << 20  # four parts of 8 MiB


def part(number):
    return lambda request: request["method"] == "PUT" and "partNumber=%d&" % number in request["target"]


class Parts(BucketCase):
    def parts_put(self):
        return [each["target"].split("partNumber=")[1].split("&")[0] for each in self.proxy.of("PUT", "partNumber=")]

    def test_a_large_file_goes_in_parts_and_comes_back(self):
        first = self.moved("first", {"big.bin": SIZE})
        self.assertEqual(sorted(set(self.parts_put())), ["1", "2", "3", "4"])
        files, _ = self.exported(self.copy_of(first, "second"), "--blobs", self.blobs)
        self.assertEqual(files["big.bin"], bytes_of("big.bin", SIZE))
        self.assertEqual(self.s3.list_multipart_uploads(Bucket=BUCKET, Prefix=self.prefix).get("Uploads", []), [])

    def test_a_part_that_fails_is_sent_again_alone(self):
        self.proxy.faults = [Refuse(part(2), 503, "SlowDown", "", times=2)]
        self.run_graph(self.project("first"), {"big.bin": SIZE}, "--blobs", self.blobs)
        self.assertGreaterEqual(self.parts_put().count("2"), 3)
        self.assertEqual(len(self.keys()), 1)

    def test_a_killed_program_s_upload_goes_on(self):
        first = self.stored("first", {"big.bin": SIZE})
        self.proxy.faults = [Slow(part(3), 30, times=1)]
        moving = subprocess.Popen([SANDGLASS, "storage", "move", "--blobs", self.blobs, "--project", str(first)],
                                  env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: "3" in self.parts_put(), "the third part is on its way")
        moving.send_signal(signal.SIGKILL)
        moving.wait()
        self.proxy.faults = []
        with self.proxy.lock:
            self.proxy.requests.clear()
        moved = self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first).document
        self.assertEqual((moved["carried"], moved["waiting"]), (1, 0))
        self.assertNotIn("1", self.parts_put())
        self.assertNotIn("2", self.parts_put())
        content = bytes_of("big.bin", SIZE)
        self.assertEqual(self.s3.get_object(Bucket=BUCKET, Key=self.key_of(content))["Body"].read(), content)

    def test_a_service_without_conditions_takes_parts(self):
        def conditional(request):
            return "if-none-match" in request["headers"]

        self.proxy.faults = [Refuse(conditional, 501, "NotImplemented", "A header is not implemented.")]
        done = self.run_graph(self.project("first"), {"big.bin": 9 << 20}, "--blobs", self.blobs)
        self.assertEqual(done.document["uploads"]["waiting"], 0, done.stderr)
        self.assertEqual(len(self.keys()), 1)

    def test_parts_of_a_file_that_was_damaged_are_sent_again(self):
        first = self.stored("first", {"big.bin": SIZE})
        content = bytes_of("big.bin", SIZE)
        path = self.blob(first, content)
        path.chmod(0o644)
        with open(path, "r+b") as file:
            file.write(b"X")
        self.proxy.faults = [Slow(part(3), 30, times=1)]
        moving = subprocess.Popen([SANDGLASS, "storage", "move", "--blobs", self.blobs, "--project", str(first)],
                                  env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: "3" in self.parts_put(), "the third part is on its way")
        moving.kill()
        moving.wait()
        path.write_bytes(content)
        self.proxy.faults = []
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first)
        self.assertEqual(self.s3.get_object(Bucket=BUCKET, Key=self.key_of(content))["Body"].read(), content)
        self.assertEqual((self.parts_put().count("1"), self.parts_put().count("2")), (2, 1))

    def test_an_upload_that_the_service_has_ended_begins_anew(self):
        first = self.stored("first", {"big.bin": SIZE})
        self.proxy.faults = [Refuse(part(3), 403, "AccessDenied", "")]
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first, code=1)
        for upload in self.s3.list_multipart_uploads(Bucket=BUCKET, Prefix=self.prefix)["Uploads"]:
            self.s3.abort_multipart_upload(Bucket=BUCKET, Key=upload["Key"], UploadId=upload["UploadId"])
        self.proxy.faults = []
        self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first)
        self.assertEqual(len(self.keys()), 1)

    def test_a_damaged_file_becomes_no_object(self):
        first = self.stored("first", {"big.bin": SIZE, "small.txt": "small"})
        for content in (bytes_of("big.bin", SIZE), b"small"):
            path = self.blob(first, content)
            path.chmod(0o644)
            with open(path, "r+b") as file:
                file.write(b"X")
        done = self.sandglass("storage", "move", "--blobs", self.blobs, "--project", first, code=1)
        self.assertIn("does not match its SHA-256", done.document["error"])
        self.assertEqual(self.keys(), [])
        self.assertFalse((first / ".sandglass/places.env").exists())


if __name__ == "__main__":
    unittest.main()
