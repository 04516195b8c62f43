#pragma once

#include "core/base/result.h"
#include "core/postgres/address.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct pg_conn;
struct pg_result;

namespace sg::postgres {

// A parameter in PostgreSQL's binary form, so that bytes are never mistaken for the end of a text.
struct Parameter {
    std::string bytes;
    bool isNull = false;

    static Parameter text(std::string_view value) { return { std::string(value), false }; }
    static Parameter null() { return { {}, true }; }
    static Parameter json(std::string_view value) { return { "\x01" + std::string(value), false }; }
    static Parameter number(std::int32_t value);
};

// One statement of a batch. `sql` must live as long as the program: a connection prepares each text once.
struct Statement {
    const char* sql;
    std::vector<Parameter> parameters;
};

// The rows of a statement; columns are in binary form, so texts and bytea are as they are.
class Rows {
public:
    Rows();
    explicit Rows(pg_result* result);
    Rows(Rows&&) noexcept;
    Rows& operator=(Rows&&) noexcept;
    ~Rows();

    [[nodiscard]] int count() const;
    [[nodiscard]] bool isNull(int row, int column) const;
    [[nodiscard]] std::string_view text(int row, int column) const; // empty where it is NULL
    [[nodiscard]] std::int64_t number(int row, int column) const; // of an int4 or int8

private:
    struct Free {
        void operator()(pg_result* result) const;
    };
    std::unique_ptr<pg_result, Free> m_result;
};

// One session. Every wait has an end: what the server does not answer in time is given up with the session.
// One thread may use it at a time.
class Connection {
public:
    // Errc::Unavailable: the server cannot be reached, or does not take connections now.
    static Result<std::unique_ptr<Connection>> open(const Address& address, int statementTimeoutMs);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Sends all statements at once and waits once. Outside a transaction they are one of their own: either
    // all are committed or none. Returns the rows of those that have any, in order.
    Result<std::vector<Rows>> run(std::span<const Statement> statements);
    Result<Rows> query(const Statement& statement);
    // Runs texts that are used once and may hold several statements, without parameters.
    Result<void> exec(const std::string& sql);

    // Tells that nothing more can be done with it: the server ended, or the network did.
    [[nodiscard]] bool isLost() const { return m_isLost; }
    [[nodiscard]] bool isInTransaction() const;
    [[nodiscard]] bool hasFailedTransaction() const; // a COMMIT would undo it in silence
    // Returns the number of the server's process behind it, by which another session can end it.
    [[nodiscard]] int serverProcess() const;

private:
    struct Close {
        void operator()(pg_conn* connection) const;
    };
    Connection(std::unique_ptr<pg_conn, Close> connection, std::string shown, int statementTimeoutMs);

    Result<void> send(std::span<const Statement> statements);
    Result<std::vector<Rows>> receive();
    Result<pg_result*> nextResult();
    Result<void> waitForServer(std::chrono::steady_clock::time_point deadline, bool forWriting);
    Error lost(const std::string& why);
    Error errorOf(const pg_result* result);

    std::unique_ptr<pg_conn, Close> m_connection;
    const std::string m_shown;
    const std::chrono::milliseconds m_patience; // beyond the server's own limit for a statement
    std::chrono::steady_clock::time_point m_deadline;
    std::unordered_map<const char*, std::string> m_prepared; // text → name
    int m_nextName = 0;
    bool m_isLost = false;
};

} // namespace sg::postgres
