"""Streams of stored names in tests: asked for and sent back as the host does it."""

from host import pack, unpack


class Stream:
    """What a store request gave, cut into records. `is_whole`: it has its end."""

    def __init__(self, data):
        self.data, self.at, self.records = data, 0, []
        try:
            while self.at < len(data):
                record = unpack(self.take(self.number(4)))
                self.records.append((record, self.contents() if record["kind"] == "name" else None))
        except EOFError:
            pass
        self.is_whole = bool(self.records) and self.records[-1][0]["kind"] == "end"

    def take(self, size):
        part = self.data[self.at : self.at + size]
        if len(part) < size:
            raise EOFError
        self.at += size
        return part

    def number(self, size):
        return int.from_bytes(self.take(size), "big")

    def contents(self):
        text = b""
        while True:
            size = self.number(4)
            if size == 0xFFFFFFFF:
                return None
            if size == 0:
                return text, [self.take(self.number(8)) for _ in range(self.number(4))]
            text += self.take(size)

    def back(self):
        """As the host sends it."""
        data = b""
        for record, contents in self.records:
            if record["kind"] == "name":
                if contents is None:
                    continue
                record = dict(record, pickle=len(contents[0]), buffers=[len(b) for b in contents[1]])
            body = pack(record)
            data += len(body).to_bytes(4, "big") + body
            if contents:
                data += b"".join(contents[1]) + contents[0]
        return data


class Names:
    """For test cases that have a `host`."""

    cut = Stream

    def begin_store(self, name="", **options):
        identifier = self.host.next_id()
        self.host.send(dict({"op": "store", "id": identifier, "snapshot": name}, **options))
        return identifier

    def rest_of(self, identifier, seen=()):
        """`seen`: messages that have come already."""
        seen, data = list(seen), b""
        while True:
            message = seen.pop(0) if seen else self.host.receive()
            if message.get("id") != identifier:
                continue
            if message["ev"] == "end":
                return Stream(data)
            self.assertEqual(message["ev"], "piece", message)
            data += message["data"]

    def store(self, name="", **options):
        return self.rest_of(self.begin_store(name, **options))

    def stored(self, name="", **options):
        """Once more with care, if it ended early."""
        stream = self.store(name, **options)
        return stream if stream.is_whole else self.store(name, careful=True, **options)

    def load(self, data):
        self.host.ask("restart")
        identifier = self.host.next_id()
        self.host.send({"op": "load", "id": identifier})
        for start in range(0, len(data), 700000):
            piece = data[start : start + 700000]
            last = start + len(piece) == len(data)
            self.host.send({"op": "load_piece", "id": self.host.next_id(), "to": identifier, "data": piece, "last": last})
        return self.host.wait("loaded", identifier)["missing"]
