#pragma once

#include "core/base/result.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace sg::sqlite {

// Bytes to bind, which are copied.
struct Blob {
    std::string_view bytes;
};
// These are bound without a copy: the caller keeps the bytes unchanged until the statement has run.
struct HeldText {
    std::string_view text;
};
struct HeldBlob {
    std::string_view bytes;
};

enum class ColumnType { Null, Integer, Real, Text, Blob };

// A compiled statement. It must not outlive its Db.
class [[nodiscard]] Statement {
public:
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    // Parameters count from 1. The next step() reports errors of bind().
    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value);
    Statement& bind(int index, std::string_view text);
    Statement& bind(int index, Blob blob);
    Statement& bind(int index, HeldText held);
    Statement& bind(int index, HeldBlob held);
    Statement& bind(int index, std::nullptr_t);
    template<std::integral Integer>
    Statement& bind(int index, Integer value)
    {
        return bind(index, static_cast<std::int64_t>(value));
    }
    Statement& bind(int index, const std::string& text) { return bind(index, std::string_view(text)); }
    Statement& bind(int index, const char* text) { return bind(index, std::string_view(text)); }
    template<typename T>
    Statement& bind(int index, const std::optional<T>& value)
    {
        return value ? bind(index, *value) : bind(index, nullptr);
    }

    // True: there is a row. False: there are no more.
    Result<bool> step();
    // Steps to the end, then calls reset().
    Result<void> run();
    // Makes the statement ready to run again, which is needed between two runs. Bindings stay.
    void reset();

    // Columns of the current row count from 0. SQLite converts between types; NULL reads as 0 or empty. Views
    // are valid until the next step() or reset().
    [[nodiscard]] ColumnType type(int column) const;
    [[nodiscard]] bool isNull(int column) const { return type(column) == ColumnType::Null; }
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::string_view blob(int column) const;
    [[nodiscard]] int columnCount() const;

private:
    friend class Db;
    Statement(sqlite3_stmt* statement, bool* inUse)
        : m_statement(statement)
        , m_inUse(inUse)
    {
    }
    void noteBind(int code);
    void release();

    sqlite3_stmt* m_statement = nullptr;
    bool* m_inUse = nullptr; // set for a cached statement, which its Db owns
    int m_bindError = 0;
};

} // namespace sg::sqlite
