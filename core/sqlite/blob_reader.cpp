#include "core/sqlite/blob_reader.h"

#include "core/sqlite/sqlite_error.h"

#include <sqlite3.h>

#include <algorithm>

namespace sg::sqlite {

void BlobReader::Close::operator()(sqlite3_blob* blob) const
{
    sqlite3_blob_close(blob);
}

Result<BlobReader> BlobReader::open(Db& db, const char* table, const char* column, std::int64_t rowId)
{
    sqlite3_blob* blob = nullptr;
    const int code = sqlite3_blob_open(db.handle(), "main", table, column, rowId, 0, &blob);
    if (code != SQLITE_OK) {
        sqlite3_blob_close(blob);
        return errorOf(db.handle(), code);
    }
    return BlobReader(db, blob, sqlite3_blob_bytes(blob));
}

Result<std::string> BlobReader::read(std::int64_t offset, std::int64_t count)
{
    const std::int64_t from = std::clamp<std::int64_t>(offset, 0, m_size);
    std::string bytes(static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, m_size - from)), '\0');
    if (bytes.empty())
        return bytes;
    const int code =
        sqlite3_blob_read(m_blob.get(), bytes.data(), static_cast<int>(bytes.size()), static_cast<int>(from));
    if (code == SQLITE_ABORT)
        return Error{ Errc::Conflict, "the value was changed while it was read; open it again" };
    if (code != SQLITE_OK)
        return errorOf(m_db->handle(), code);
    return bytes;
}

} // namespace sg::sqlite
