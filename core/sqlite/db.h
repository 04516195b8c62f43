#pragma once

#include "core/base/result.h"
#include "core/sqlite/statement.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;

namespace sg::sqlite {

class Transaction;

enum class OpenMode {
    ReadOnly, // Errc::NotFound if there is no file
    ReadWrite, // the same
    Create, // makes the file (not its folder)
};

enum class Synchronous { Off, Normal, Full };

struct DbOptions {
    OpenMode mode = OpenMode::Create;
    std::chrono::milliseconds busyTimeout{ 5000 }; // how long to wait for a locked file
    bool wal = true; // switch the file to write-ahead logging; never in ReadOnly
    Synchronous synchronous = Synchronous::Normal;
    // Triggers in the file act: not for a file that may come from elsewhere, whose triggers could compute for
    // ever with each write, or change what is written.
    bool triggers = true;
};

// A Db is one connection to one database file. One thread may use it at a time; its owner brings a mutex for
// more. The file is untrusted: its schema may not call functions with side effects, and damage is an error,
// not a crash.
//
// Errors: Busy (locked by another program), NoSpace, Corrupt (damaged, or no database at all),
// PermissionDenied (also: a write to what was opened read-only), NotFound, Conflict (a constraint refused
// it), Cancelled (interrupt()), LimitExceeded, InvalidArgument (the SQL does not fit the schema), Io.
class Db {
public:
    static Result<Db> open(const std::filesystem::path& path, const DbOptions& options = {});
    Db(Db&&) noexcept;
    Db& operator=(Db&&) noexcept;
    ~Db(); // statements must be gone

    [[nodiscard]] const std::filesystem::path& path() const;
    [[nodiscard]] bool isReadOnly() const;

    // Compiles a statement for the caller alone.
    Result<Statement> prepare(std::string_view sql);
    // Returns a statement that this Db keeps compiled; it is reset and returned when the Statement dies.
    Result<Statement> cached(std::string_view sql);

    // Runs a cached statement and ignores its rows: run("DELETE FROM t WHERE id = ?", id).
    template<typename... Args>
    Result<void> run(std::string_view sql, const Args&... args)
    {
        auto statement = cached(sql);
        if (!statement)
            return std::move(statement.error());
        int index = 0;
        (statement->bind(++index, args), ...);
        return statement->run();
    }

    // Runs a script of one or more statements without parameters.
    Result<void> exec(const std::string& script);
    // Switches the file to write-ahead logging, for everybody who opens it.
    Result<void> useWal();
    // Applies to transactions that begin later. It may not be called within one.
    Result<void> setSynchronous(Synchronous level);

    // Begins a write transaction (BEGIN IMMEDIATE), or a consistent view for several reads. They do not nest.
    Result<Transaction> begin();
    Result<Transaction> beginRead();

    // A number that the application keeps in the file's header; 0 in a new file.
    Result<std::int64_t> userVersion();
    Result<void> setUserVersion(std::int64_t version);

    [[nodiscard]] std::int64_t changedRows() const; // by the last INSERT, UPDATE or DELETE
    [[nodiscard]] std::int64_t lastInsertId() const;

    // Any thread may call it while this Db lives: the running statement ends with Errc::Cancelled.
    void interrupt();

    [[nodiscard]] sqlite3* handle() const; // for the other files of this module

private:
    friend class Transaction;
    struct State;
    explicit Db(std::unique_ptr<State> state);

    std::unique_ptr<State> m_state;
};

// Rolls back unless committed. It must not outlive its Db.
class [[nodiscard]] Transaction {
public:
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();

    // After a failure nothing of the transaction is stored.
    Result<void> commit();

private:
    friend class Db;
    explicit Transaction(Db::State* state)
        : m_state(state)
    {
    }
    Db::State* m_state; // null once it ended
};

} // namespace sg::sqlite
