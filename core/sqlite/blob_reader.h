#pragma once

#include "core/base/result.h"
#include "core/sqlite/db.h"

#include <cstdint>
#include <memory>
#include <string>

struct sqlite3_blob;

namespace sg::sqlite {

// Reads one value of a row in pieces, so that a large value costs only what is read of it. It must not
// outlive its Db. Errc::Conflict: the row was changed meanwhile.
class BlobReader {
public:
    static Result<BlobReader> open(Db& db, const char* table, const char* column, std::int64_t rowId);
    [[nodiscard]] std::int64_t size() const { return m_size; }
    // Returns fewer bytes if the value ends earlier.
    Result<std::string> read(std::int64_t offset, std::int64_t count);

private:
    struct Close {
        void operator()(sqlite3_blob* blob) const;
    };
    BlobReader(Db& db, sqlite3_blob* blob, std::int64_t size)
        : m_db(&db)
        , m_blob(blob)
        , m_size(size)
    {
    }
    Db* m_db;
    std::unique_ptr<sqlite3_blob, Close> m_blob;
    std::int64_t m_size;
};

} // namespace sg::sqlite
