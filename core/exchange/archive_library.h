#pragma once

#include "core/base/result.h"

#include <archive.h>
#include <archive_entry.h>

namespace sg::exchange {

// Libarchive depends on a dozen libraries, ICU among them. It is loaded with the first bundle, so that
// programs that open none do without them. Members are libarchive's functions of the same names.
struct ArchiveLibrary {
    decltype(&archive_error_string) errorString = nullptr;
    decltype(&archive_errno) errorNumber = nullptr;
    decltype(&archive_write_new) writeNew = nullptr;
    decltype(&archive_write_free) writeFree = nullptr;
    decltype(&archive_write_set_format_zip) writeSetFormatZip = nullptr;
    decltype(&archive_write_open_filename) writeOpenFilename = nullptr;
    decltype(&archive_write_close) writeClose = nullptr;
    decltype(&archive_write_header) writeHeader = nullptr;
    decltype(&archive_write_data) writeData = nullptr;
    decltype(&archive_read_new) readNew = nullptr;
    decltype(&archive_read_free) readFree = nullptr;
    decltype(&archive_read_support_format_zip) readSupportFormatZip = nullptr;
    decltype(&archive_read_open_filename) readOpenFilename = nullptr;
    decltype(&archive_read_next_header) readNextHeader = nullptr;
    decltype(&archive_read_data) readData = nullptr;
    decltype(&archive_entry_new) entryNew = nullptr;
    decltype(&archive_entry_free) entryFree = nullptr;
    decltype(&archive_entry_set_pathname) entrySetPathname = nullptr;
    decltype(&archive_entry_set_size) entrySetSize = nullptr;
    decltype(&archive_entry_set_filetype) entrySetFiletype = nullptr;
    decltype(&archive_entry_set_perm) entrySetPerm = nullptr;
    decltype(&archive_entry_pathname) entryPathname = nullptr;
    decltype(&archive_entry_pathname_utf8) entryPathnameUtf8 = nullptr;
    decltype(&archive_entry_filetype) entryFiletype = nullptr;
    decltype(&archive_entry_hardlink) entryHardlink = nullptr;
    decltype(&archive_entry_symlink) entrySymlink = nullptr;
};

// Loads the library once, for the life of the program. Errc::Unavailable says what is missing. Any thread.
const Result<ArchiveLibrary>& archiveLibrary();

} // namespace sg::exchange
