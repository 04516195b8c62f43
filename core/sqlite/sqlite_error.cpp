#include "core/sqlite/sqlite_error.h"

#include "core/base/errno_error.h"

#include <sqlite3.h>

#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace sg::sqlite {
namespace {

Error cannotOpen(const std::string& path, int systemError)
{
    std::error_code ignored;
    const std::filesystem::path file(path);
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (systemError == EACCES || systemError == EPERM || systemError == EROFS)
        return { Errc::PermissionDenied,
                 "database " + path + " cannot be opened: no permission; check who owns it" };
    std::error_code hidden; // a folder above may be unreadable
    const bool exists = std::filesystem::exists(file, hidden);
    if (hidden == std::errc::permission_denied)
        return { Errc::PermissionDenied,
                 "database " + path + " cannot be opened: no permission to look into " + folder.string()
                     + "; check who owns it" };
    if (!std::filesystem::is_directory(folder, ignored))
        return { Errc::NotFound,
                 "database " + path + " cannot be opened: there is no folder " + folder.string() };
    if (std::filesystem::is_directory(file, ignored))
        return { Errc::InvalidArgument, "database " + path + " cannot be opened: it is a folder" };
    if (!exists)
        return { Errc::NotFound, "there is no database " + path };
    if (::access(folder.c_str(), W_OK) != 0) // SQLite writes its log in the file's folder
        return { Errc::PermissionDenied,
                 "database " + path
                     + " cannot be opened: its folder cannot be written: " + errnoText(errno) };
    return { Errc::Io, "database " + path + " cannot be opened" };
}

Error noSpace(const std::string& path)
{
    return { Errc::NoSpace,
             "the disk that holds the database " + path
                 + " is full; free some space and try again. "
                   "Nothing stored before is lost" };
}

} // namespace

Error errorOf(sqlite3* db, int code)
{
    const char* name = sqlite3_db_filename(db, nullptr);
    return errorOf(db, code, name ? name : "");
}

Error errorOf(sqlite3* db, int code, const std::string& path)
{
    const std::string database = "database " + path;
    const std::string why = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    const int systemError = db ? sqlite3_system_errno(db) : 0;
    switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return { Errc::Busy, database + " is locked by another program: close it there or try again later" };
    case SQLITE_NOTADB:
        return { Errc::Corrupt,
                 path
                     + " is not a SQLite database; name a checkpoint database (*.sqlite, *.db), or move this "
                       "file away and a new one is made in its place" };
    case SQLITE_CORRUPT:
        return { Errc::Corrupt,
                 database + " is damaged (" + why
                     + "); put a copy in its place, or save what can be read with "
                       "sqlite3's .recover" };
    case SQLITE_FULL: return noSpace(path);
    case SQLITE_IOERR:
        if (systemError == ENOSPC || systemError == EDQUOT)
            return noSpace(path);
        return { Errc::Io, database + ": " + why + "; check the disk that it is on, then try again" };
    case SQLITE_CANTOPEN: return cannotOpen(path, systemError);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return { Errc::PermissionDenied,
                 database + " cannot be written: " + why + "; check its and its folder's owner" };
    case SQLITE_CONSTRAINT: return { Errc::Conflict, database + ": " + why };
    case SQLITE_INTERRUPT: return { Errc::Cancelled, database + ": stopped" };
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG: return { Errc::LimitExceeded, database + ": " + why };
    case SQLITE_ERROR:
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE: return { Errc::InvalidArgument, database + ": " + why };
    default: return { Errc::Io, database + ": " + why };
    }
}

} // namespace sg::sqlite
