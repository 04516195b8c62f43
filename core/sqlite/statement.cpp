#include "core/sqlite/statement.h"

#include "core/sqlite/sqlite_error.h"
#include "core/sqlite/step_watch.h"

#include <sqlite3.h>

#include <cassert>
#include <string>
#include <utility>

namespace sg::sqlite {

Statement::Statement(Statement&& other) noexcept
    : m_statement(std::exchange(other.m_statement, nullptr))
    , m_inUse(std::exchange(other.m_inUse, nullptr))
    , m_bindError(other.m_bindError)
{
}

Statement& Statement::operator=(Statement&& other) noexcept
{
    if (this != &other) {
        release();
        m_statement = std::exchange(other.m_statement, nullptr);
        m_inUse = std::exchange(other.m_inUse, nullptr);
        m_bindError = other.m_bindError;
    }
    return *this;
}

Statement::~Statement()
{
    release();
}

void Statement::release()
{
    if (!m_statement)
        return;
    if (m_inUse) {
        sqlite3_reset(m_statement);
        sqlite3_clear_bindings(m_statement);
        *m_inUse = false;
    } else {
        sqlite3_finalize(m_statement);
    }
    m_statement = nullptr;
}

void Statement::noteBind(int code)
{
    assert(code != SQLITE_RANGE && code != SQLITE_MISUSE);
    if (code != SQLITE_OK)
        m_bindError = code;
}

Statement& Statement::bind(int index, std::int64_t value)
{
    noteBind(sqlite3_bind_int64(m_statement, index, value));
    return *this;
}

Statement& Statement::bind(int index, double value)
{
    noteBind(sqlite3_bind_double(m_statement, index, value));
    return *this;
}

Statement& Statement::bind(int index, std::string_view text)
{
    const char* data = text.data() ? text.data() : ""; // a null pointer would bind NULL
    noteBind(sqlite3_bind_text64(m_statement, index, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind(int index, Blob blob)
{
    const char* data = blob.bytes.data() ? blob.bytes.data() : "";
    noteBind(sqlite3_bind_blob64(m_statement, index, data, blob.bytes.size(), SQLITE_TRANSIENT));
    return *this;
}

Statement& Statement::bind(int index, HeldText held)
{
    const char* data = held.text.data() ? held.text.data() : "";
    noteBind(sqlite3_bind_text64(m_statement, index, data, held.text.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind(int index, HeldBlob held)
{
    const char* data = held.bytes.data() ? held.bytes.data() : "";
    noteBind(sqlite3_bind_blob64(m_statement, index, data, held.bytes.size(), SQLITE_STATIC));
    return *this;
}

Statement& Statement::bind(int index, std::nullptr_t)
{
    noteBind(sqlite3_bind_null(m_statement, index));
    return *this;
}

Result<bool> Statement::step()
{
    if (m_bindError != 0)
        return errorOf(sqlite3_db_handle(m_statement), m_bindError);
    StepWatch::begin();
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    if ((code & 0xFF) == SQLITE_INTERRUPT && StepWatch::hasExpired())
        return Error{
            Errc::LimitExceeded,
            std::string("database ") + sqlite3_db_filename(sqlite3_db_handle(m_statement), nullptr)
                + ": a single answer took too long and was given up; the file is damaged, or made to "
                  "hang who reads it"
        };
    return errorOf(sqlite3_db_handle(m_statement), code);
}

Result<void> Statement::run()
{
    while (true) {
        auto row = step();
        if (row && *row)
            continue;
        reset();
        return row ? Result<void>() : std::move(row.error());
    }
}

void Statement::reset()
{
    sqlite3_reset(m_statement); // repeats the error that step() has reported
    m_bindError = 0;
}

ColumnType Statement::type(int column) const
{
    switch (sqlite3_column_type(m_statement, column)) {
    case SQLITE_INTEGER: return ColumnType::Integer;
    case SQLITE_FLOAT: return ColumnType::Real;
    case SQLITE_TEXT: return ColumnType::Text;
    case SQLITE_BLOB: return ColumnType::Blob;
    default: return ColumnType::Null;
    }
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

double Statement::real(int column) const
{
    return sqlite3_column_double(m_statement, column);
}

std::string_view Statement::text(int column) const
{
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    if (!text)
        return {};
    return { text, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)) };
}

std::string_view Statement::blob(int column) const
{
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement, column));
    if (!bytes)
        return {};
    return { bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)) };
}

int Statement::columnCount() const
{
    return sqlite3_column_count(m_statement);
}

} // namespace sg::sqlite
