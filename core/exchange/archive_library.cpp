#include "core/exchange/archive_library.h"

#include <dlfcn.h>

#include <string>

namespace sg::exchange {
namespace {

constexpr const char* kFile = "libarchive.so.13"; // the version that <archive.h> describes

Error missing(const char* why)
{
    return { Errc::Unavailable,
             std::string("the archive library ") + kFile + " cannot be loaded ("
                 + (why != nullptr ? why : "unknown") + "); install the package libarchive13" };
}

template<typename Function>
bool find(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

Result<ArchiveLibrary> load()
{
    void* library = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return missing(dlerror());
    ArchiveLibrary archive;
    const bool whole = find(library, "archive_error_string", archive.errorString)
        && find(library, "archive_errno", archive.errorNumber)
        && find(library, "archive_write_new", archive.writeNew)
        && find(library, "archive_write_free", archive.writeFree)
        && find(library, "archive_write_set_format_zip", archive.writeSetFormatZip)
        && find(library, "archive_write_open_filename", archive.writeOpenFilename)
        && find(library, "archive_write_close", archive.writeClose)
        && find(library, "archive_write_header", archive.writeHeader)
        && find(library, "archive_write_data", archive.writeData)
        && find(library, "archive_read_new", archive.readNew)
        && find(library, "archive_read_free", archive.readFree)
        && find(library, "archive_read_support_format_zip", archive.readSupportFormatZip)
        && find(library, "archive_read_open_filename", archive.readOpenFilename)
        && find(library, "archive_read_next_header", archive.readNextHeader)
        && find(library, "archive_read_data", archive.readData)
        && find(library, "archive_entry_new", archive.entryNew)
        && find(library, "archive_entry_free", archive.entryFree)
        && find(library, "archive_entry_set_pathname", archive.entrySetPathname)
        && find(library, "archive_entry_set_size", archive.entrySetSize)
        && find(library, "archive_entry_set_filetype", archive.entrySetFiletype)
        && find(library, "archive_entry_set_perm", archive.entrySetPerm)
        && find(library, "archive_entry_pathname", archive.entryPathname)
        && find(library, "archive_entry_pathname_utf8", archive.entryPathnameUtf8)
        && find(library, "archive_entry_filetype", archive.entryFiletype)
        && find(library, "archive_entry_hardlink", archive.entryHardlink)
        && find(library, "archive_entry_symlink", archive.entrySymlink);
    if (!whole)
        return missing(dlerror());
    return archive;
}

} // namespace

const Result<ArchiveLibrary>& archiveLibrary()
{
    static const Result<ArchiveLibrary> library = load();
    return library;
}

} // namespace sg::exchange
