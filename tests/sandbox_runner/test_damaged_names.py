"""Stored names that were damaged: whatever is in the stream, its reading ends, says what it lacks, and the session goes on."""

import random
import unittest

from host import Host
import test_stored_names

from sandglass_runner.codec import pack

CODE = "import json, math as m\na = [1, {'k': 'v'}]; b = a; t = 'x' * 300; d = {i: str(i) for i in range(40)}; json.MY = 1; big = bytearray(100000)"


class Damaged(test_stored_names.StoredNames):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)
        self.host.cell(CODE + "\nNone")
        self.host.ask("snapshot", snapshot="s")
        self.data = self.store("s").back()

    def read(self, data):
        """The answer to it; names that came are there, and the interpreter answers."""
        self.host.ask("restart")
        identifier = self.host.next_id()
        self.host.send({"op": "load", "id": identifier})
        self.host.send({"op": "load_piece", "id": self.host.next_id(), "to": identifier, "data": data, "last": True})
        answer = self.host.receive()
        while answer.get("id") != identifier or answer["ev"] not in ("loaded", "done"):
            answer = self.host.receive()
        if self.host.cell("1 + 1").get("result", {}).get("text/plain") != "2":
            self.fail("the session does not go on")
        return answer

    def test_a_stream_that_ends_early(self):
        for size in (0, 3, 4, 5, len(self.data) // 2, len(self.data) - 1):
            with self.subTest(size=size):
                self.assertEqual(self.read(self.data[:size])["ev"], "done")

    def test_lengths_that_are_lies(self):
        for number in (0, 1, 0x7FFFFFFF, 0xFFFFFFFF):
            with self.subTest(number=number):
                self.assertEqual(self.read(number.to_bytes(4, "big") + self.data[4:])["ev"], "done")

    def test_a_record_of_another_shape(self):
        for record in (None, 1, [], {}, {"kind": "name"}, {"kind": "alias", "name": 1}, {"kind": "end"}, {"kind": "world", "files": 5}):
            with self.subTest(record=record):
                data = pack(record)
                self.read(len(data).to_bytes(4, "big") + data + self.data)

    def test_bytes_that_were_changed(self):
        chance = random.Random(20)
        for _ in range(60):
            data = bytearray(self.data[:6000])
            for _ in range(chance.randint(1, 8)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            self.read(bytes(data) + self.data[6000:])


for inherited in [name for name in dir(test_stored_names.StoredNames) if name.startswith("test_")]:
    setattr(Damaged, inherited, None)

if __name__ == "__main__":
    unittest.main()
