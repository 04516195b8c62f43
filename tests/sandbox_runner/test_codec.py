"""MessagePack as the runner reads and writes it, and bytes that are none."""

import random
import unittest

import host  # noqa: F401  (puts the runner on the path)
from sandglass_runner import codec, flat
from sandglass_runner.codec import CodecError, Ext, pack, unpack


class Codec(unittest.TestCase):
    def test_bytes_on_the_wire(self):
        for value, text in (
            (None, "c0"),
            (False, "c2"),
            (True, "c3"),
            (0, "00"),
            (127, "7f"),
            (128, "cc80"),
            (255, "ccff"),
            (256, "cd0100"),
            (65535, "cdffff"),
            (65536, "ce00010000"),
            (2**32, "cf0000000100000000"),
            (2**64 - 1, "cfffffffffffffffff"),
            (-1, "ff"),
            (-32, "e0"),
            (-33, "d0df"),
            (-128, "d080"),
            (-129, "d1ff7f"),
            (-32769, "d2ffff7fff"),
            (-(2**31) - 1, "d3ffffffff7fffffff"),
            (-(2**63), "d38000000000000000"),
            (1.5, "cb3ff8000000000000"),
            ("", "a0"),
            ("bob", "a3626f62"),
            ("é", "a2c3a9"),
            (b"x", "c40178"),
            ([1, "a"], "9201a161"),
            ({"a": 1}, "81a16101"),
            ((), "90"),
            (bytearray(b"z"), "c4017a"),
            (Ext(5, b"abc"), "c70305616263"),
            (Ext(-1, b"a"), "d4ff61"),
            (Ext(0, b"12345678"), "d7003132333435363738"),
            ("x" * 32, "d920" + "78" * 32),
            ("\udc80", "a13f"),
        ):
            with self.subTest(value):
                self.assertEqual(pack(value).hex(), text)

    def test_the_usual_end_of_a_cell_is_the_same_bytes_by_its_short_way(self):
        for identifier in (1, 127, 128, 255, 65536, 2**32, 2**40):
            for text in (None, "", "1", "é" * 15, "x" * 31, "x" * 32, "y" * 255, "y" * 256, "z" * 70000):
                with self.subTest(identifier=identifier, text=text and text[:32]):
                    message = {"ev": "done", "id": identifier, "status": "ok"}
                    if text is not None:
                        message["result"] = {"text/plain": text}
                    body = pack(message)
                    self.assertEqual(flat.done(identifier, text), body)
                    self.assertEqual(b"".join(flat.pack(message) or [body]), body)
                    self.assertTrue(flat.is_done(body, identifier))
                    self.assertFalse(flat.is_done(body, identifier + 1))
                    whole = dict(message, duration_ms=1.5, artifacts=True)
                    self.assertEqual(flat.completed(body, 1.5, True), pack(whole))

    def test_only_the_usual_end_of_a_cell_is_taken_for_it(self):
        good = flat.done(7, "text")
        other = {"ev": "done", "id": 7, "status": "ok"}
        for body in (
            b"",
            good[:-1],
            good + b"\xc0",
            b"\x85" + good[1:],
            good[:-1] + b"\xff",
            good[:-5] + b"\xc4" + good[-4:],
            pack(dict(other, status="error")),
            pack(dict(other, result={"text/html": "x"})),
            pack(dict(other, result={"text/plain": b"x"})),
            pack(dict(other, result={"text/plain": "x", "text/html": "x"})),
            pack(dict(other, answered=1)),
        ):
            with self.subTest(body):
                self.assertFalse(flat.is_done(body, 7))

    def test_round_trips(self):
        for value in (
            list(range(-40, 300)),
            "x" * 70000,
            b"y" * 70000,
            [None] * 70000,
            {i: str(i) for i in range(70000)},
            {"a": {"b": [1, 2.5, {"c": b"\0"}]}},
            float("inf"),
            2**63,
            {(1, 2): "tuple key"},
            1e308,
            -0.0,
        ):
            self.assertEqual(unpack(pack(value)), value)

    def test_nesting_has_a_limit_both_ways(self):
        deep = []
        for _ in range(codec.MAX_DEPTH - 1):
            deep = [deep]
        self.assertEqual(unpack(pack(deep)), deep)
        with self.assertRaises(codec.Unencodable):
            pack([deep])
        with self.assertRaises(CodecError):
            unpack(b"\x91" * 300 + b"\xc0")

    def test_wrong_bytes_are_refused(self):
        for raw in (
            b"",
            b"\xc1",
            b"\xa5ab",
            b"\x92\x01",
            b"\x81\xa1a",
            b"\xdd\xff\xff\xff\xff",
            b"\xdf\xff\xff\xff\xff",
            b"\xc6\xff\xff\xff\xffa",
            b"\x01\x02",
            b"\xcf\x00",
            b"\x81\x80\x01",
            b"\xd4\x01",
            b"\xc7",
        ):
            with self.subTest(raw), self.assertRaises(CodecError):
                unpack(raw)

    def test_random_bytes_never_do_anything_else(self):
        chance = random.Random(7)
        for _ in range(20000):
            raw = bytes(
                chance.choice(b"\x80\x81\x91\x92\xa1\xc4\xc7\xd4\xd8\xdc\xde\xca\x01\xff\xc1ab")
                for _ in range(chance.randrange(1, 12))
            )
            try:
                value = unpack(raw)
            except CodecError:
                continue
            pack(value)


if __name__ == "__main__":
    unittest.main()
