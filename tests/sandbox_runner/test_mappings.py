"""Memory shared with files, as the kernel tells of it in two ways."""

import errno
import mmap
import os
import tempfile
import unittest

import host  # noqa: F401, for the path of imports
from sandglass_runner import mappings


def told(found):
    return [(m.address, m.size, m.protection, m.offset, m.identity, m.path) for m in found]


class Mappings(unittest.TestCase):
    def setUp(self):
        self.file = tempfile.NamedTemporaryFile(suffix=" a name", buffering=0)
        self.addCleanup(self.file.close)
        self.file.write(bytes(3 * mmap.PAGESIZE))
        self.mapped = mmap.mmap(self.file.fileno(), 2 * mmap.PAGESIZE, offset=mmap.PAGESIZE)
        self.addCleanup(self.mapped.close)

    def test_a_file_that_is_written_to_is_found(self):
        found = [m for m in mappings._shared() if m.path == self.file.name]
        self.assertEqual([(m.size, m.can_write, m.offset) for m in found], [(2 * mmap.PAGESIZE, True, mmap.PAGESIZE)])
        self.assertEqual(found[0].identity[1], os.stat(self.file.name).st_ino)

    def test_one_that_is_private_is_not(self):
        private = mmap.mmap(self.file.fileno(), mmap.PAGESIZE, access=mmap.ACCESS_COPY)
        self.addCleanup(private.close)
        self.assertEqual(len([m for m in mappings._shared() if m.path == self.file.name]), 1)

    def test_the_kernels_answer_is_what_its_list_says(self):
        try:
            asked = told(mappings._asked())
        except OSError as error:
            self.assertIn(error.errno, (errno.ENOTTY, errno.EINVAL))
            self.skipTest("this kernel only lists them")
        self.assertIn(self.file.name, [path for *_rest, path in asked])
        self.assertEqual(asked, told(mappings._listed()))


if __name__ == "__main__":
    unittest.main()
