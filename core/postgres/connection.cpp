#include "core/postgres/connection.h"

#include "core/base/errno_error.h"
#include "core/base/printable.h"

#include <libpq-fe.h>

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sg::postgres {
namespace {

using Clock = std::chrono::steady_clock;

struct Default {
    const char* keyword;
    const char* value;
};
// They hold where the address does not say otherwise. Without them a server that vanishes is waited for
// for hours.
constexpr Default kDefaults[] = {
    { "connect_timeout", "10" },     { "keepalives_idle", "20" },
    { "keepalives_interval", "10" }, { "keepalives_count", "3" },
    { "tcp_user_timeout", "30000" }, { "fallback_application_name", "sandglass" },
    { "client_encoding", "UTF8" }
};

// libpq would print what the server remarks to this program's standard error, as it is.
void ignoreNotice(void* /*unused*/, const char* /*message*/) { }

std::string messageOf(const char* text)
{
    std::string message = text == nullptr ? "" : text;
    while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
        message.pop_back();
    std::ranges::replace(message, '\t', ' ');
    std::ranges::replace(message, '\n', ' ');
    const auto isTwice = [](char one, char other) { return one == ' ' && other == ' '; };
    message.erase(std::unique(message.begin(), message.end(), isTwice), message.end());
    return printableText(message);
}

// libpq asks where this tells what to do.
std::string refusalOf(const char* text)
{
    std::string message = messageOf(text);
    if (const std::size_t asks = message.find(" Is the server running"); asks != std::string::npos)
        message.replace(asks, std::string::npos, ". Start the server, or correct the address");
    return message;
}

Errc codeOf(std::string_view state)
{
    if (state == "42501" || state == "25006" || state.starts_with("28"))
        return Errc::PermissionDenied;
    if (state == "57014")
        return Errc::Timeout;
    if (state == "53100")
        return Errc::NoSpace;
    if (state == "55P03" || state == "40001" || state == "40P01")
        return Errc::Busy;
    if (state.starts_with("08") || state.starts_with("57P") || state == "53300")
        return Errc::Unavailable;
    if (state.starts_with("54"))
        return Errc::LimitExceeded;
    if (state.starts_with("42") || state.starts_with("22"))
        return Errc::InvalidArgument;
    return Errc::Io;
}

} // namespace

Parameter Parameter::number(std::int32_t value)
{
    const auto bits = static_cast<std::uint32_t>(value);
    return { { static_cast<char>(bits >> 24U), static_cast<char>(bits >> 16U), static_cast<char>(bits >> 8U),
               static_cast<char>(bits) },
             false };
}

Rows::Rows() = default;
Rows::Rows(pg_result* result)
    : m_result(result)
{
}
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;
Rows::~Rows() = default;

void Rows::Free::operator()(pg_result* result) const
{
    PQclear(result);
}

int Rows::count() const
{
    return m_result ? PQntuples(m_result.get()) : 0;
}

bool Rows::isNull(int row, int column) const
{
    return PQgetisnull(m_result.get(), row, column) != 0;
}

std::string_view Rows::text(int row, int column) const
{
    return { PQgetvalue(m_result.get(), row, column),
             static_cast<std::size_t>(PQgetlength(m_result.get(), row, column)) };
}

std::int64_t Rows::number(int row, int column) const
{
    const std::string_view bytes = text(row, column);
    if (bytes.empty() || bytes.size() > 8)
        return 0;
    std::uint64_t bits = (static_cast<unsigned char>(bytes.front()) & 0x80U) != 0 ? ~std::uint64_t{ 0 } : 0;
    for (const char byte : bytes)
        bits = bits << 8U | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(bits);
}

void Connection::Close::operator()(pg_conn* connection) const
{
    PQfinish(connection);
}

Connection::Connection(std::unique_ptr<pg_conn, Close> connection, std::string shown, int statementTimeoutMs)
    : m_connection(std::move(connection))
    , m_shown(std::move(shown))
    , m_patience(statementTimeoutMs + 5000)
{
}

Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::open(const Address& address, int statementTimeoutMs)
{
    std::vector<const char*> keywords;
    std::vector<const char*> values;
    for (const auto& [keyword, value] : address.parameters) {
        keywords.push_back(keyword.c_str());
        values.push_back(value.c_str());
    }
    for (const Default& each : kDefaults)
        if (std::ranges::find(address.parameters, each.keyword, [](const auto& pair) { return pair.first; })
            == address.parameters.end()) {
            keywords.push_back(each.keyword);
            values.push_back(each.value);
        }
    keywords.push_back(nullptr);
    values.push_back(nullptr);
    std::unique_ptr<pg_conn, Close> raw(PQconnectdbParams(keywords.data(), values.data(), 0));
    if (!raw || PQstatus(raw.get()) != CONNECTION_OK)
        return Error{ Errc::Unavailable,
                      "connect to " + address.shown + ": "
                          + (raw ? refusalOf(PQerrorMessage(raw.get())) : "there is no memory") };
    if (PQserverVersion(raw.get()) < 120000)
        return Error{ Errc::Unsupported,
                      address.shown + " is PostgreSQL " + std::to_string(PQserverVersion(raw.get()) / 10000)
                          + "; version 12 or later is needed" };
    PQsetNoticeProcessor(raw.get(), ignoreNotice, nullptr);
    PQsetnonblocking(raw.get(), 1);
    std::unique_ptr<Connection> connection(new Connection(std::move(raw), address.shown, statementTimeoutMs));
    // A limit that the role or the address sets stays. The server notices by the others that this machine is
    // gone, after a minute instead of two hours: until then its runs hold their threads.
    const std::string limit = std::to_string(statementTimeoutMs);
    auto set = connection->exec(
        "SELECT set_config('statement_timeout', '" + limit
        + "', false) WHERE current_setting('statement_timeout') = '0';"
          "SELECT set_config('idle_in_transaction_session_timeout', '"
        + limit
        + "', false) WHERE current_setting('idle_in_transaction_session_timeout') = '0';"
          "SELECT set_config('tcp_keepalives_idle', '20', false), set_config('tcp_keepalives_interval', "
          "'10', "
          "false), set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '60000', "
          "false)");
    if (!set)
        return std::move(set.error());
    return connection;
}

bool Connection::isInTransaction() const
{
    return !m_isLost && PQtransactionStatus(m_connection.get()) != PQTRANS_IDLE;
}

int Connection::serverProcess() const
{
    return PQbackendPID(m_connection.get());
}

bool Connection::hasFailedTransaction() const
{
    return !m_isLost && PQtransactionStatus(m_connection.get()) == PQTRANS_INERROR;
}

Error Connection::lost(const std::string& why)
{
    m_isLost = true;
    return { Errc::Unavailable, "the connection to " + m_shown + " is lost: " + why };
}

Error Connection::errorOf(const pg_result* result)
{
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char* primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const Errc code = state == nullptr ? Errc::Unavailable : codeOf(state);
    const std::string message = messageOf(primary == nullptr ? PQresultErrorMessage(result) : primary);
    const std::string_view class57(state == nullptr ? "57P" : state); // the session's end has this class
    if (class57.starts_with("57P") || class57 == "25P03" || PQstatus(m_connection.get()) != CONNECTION_OK)
        return lost(message);
    return { code, m_shown + ": " + message + " (SQLSTATE " + state + ")" };
}

Result<void> Connection::waitForServer(Clock::time_point deadline, bool forWriting)
{
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0)
            return lost("it does not answer");
        pollfd place{ PQsocket(m_connection.get()), static_cast<short>(POLLIN | (forWriting ? POLLOUT : 0)),
                      0 };
        const int ready = ::poll(&place, 1, static_cast<int>(std::min<long>(left, 10'000)));
        if (ready > 0)
            return {};
        if (ready < 0 && errno != EINTR)
            return lost(errnoText(errno));
    }
}

// Returns null at the end of a statement's results.
Result<pg_result*> Connection::nextResult()
{
    while (true) {
        const int unsent = PQflush(m_connection.get());
        if (unsent < 0)
            return lost(messageOf(PQerrorMessage(m_connection.get())));
        if (PQisBusy(m_connection.get()) == 0)
            return PQgetResult(m_connection.get());
        if (auto waited = waitForServer(m_deadline, unsent > 0); !waited)
            return std::move(waited.error());
        if (PQconsumeInput(m_connection.get()) == 0)
            return lost(messageOf(PQerrorMessage(m_connection.get())));
        m_deadline = Clock::now() + m_patience; // it is still at work
    }
}

Result<void> Connection::exec(const std::string& sql)
{
    m_deadline = Clock::now() + m_patience;
    if (m_isLost || PQsendQuery(m_connection.get(), sql.c_str()) == 0)
        return lost(messageOf(PQerrorMessage(m_connection.get())));
    std::optional<Error> failed;
    while (true) {
        auto result = nextResult();
        if (!result)
            return std::move(result.error());
        if (*result == nullptr)
            break;
        const Rows held(*result);
        if (PQresultStatus(*result) == PGRES_FATAL_ERROR && !failed)
            failed = errorOf(*result);
    }
    return failed ? Result<void>(*std::move(failed)) : Result<void>();
}

Result<void> Connection::send(std::span<const Statement> statements)
{
    std::vector<const char*> values;
    std::vector<int> lengths;
    std::vector<int> formats;
    for (const Statement& statement : statements) {
        const auto [known, isNew] = m_prepared.try_emplace(statement.sql);
        if (isNew) {
            known->second = "s" + std::to_string(++m_nextName);
            if (PQsendPrepare(m_connection.get(), known->second.c_str(), statement.sql, 0, nullptr) == 0)
                return lost(messageOf(PQerrorMessage(m_connection.get())));
        }
        const std::size_t count = statement.parameters.size();
        values.clear();
        lengths.clear();
        formats.assign(count, 1);
        for (const Parameter& parameter : statement.parameters) {
            values.push_back(parameter.isNull ? nullptr : parameter.bytes.data());
            lengths.push_back(static_cast<int>(parameter.bytes.size()));
        }
        if (PQsendQueryPrepared(m_connection.get(), known->second.c_str(), static_cast<int>(count),
                                values.data(), lengths.data(), formats.data(), 1)
            == 0)
            return lost(messageOf(PQerrorMessage(m_connection.get())));
    }
    if (PQpipelineSync(m_connection.get()) == 0)
        return lost(messageOf(PQerrorMessage(m_connection.get())));
    return {};
}

Result<std::vector<Rows>> Connection::receive()
{
    std::vector<Rows> rows;
    std::optional<Error> failed;
    while (true) {
        auto result = nextResult();
        if (!result)
            return std::move(result.error());
        if (*result == nullptr) { // between two statements
            if (PQstatus(m_connection.get()) != CONNECTION_OK)
                return lost(messageOf(PQerrorMessage(m_connection.get())));
            continue;
        }
        Rows held(*result);
        const ExecStatusType status = PQresultStatus(*result);
        if (status == PGRES_PIPELINE_SYNC)
            break;
        if (status == PGRES_TUPLES_OK)
            rows.push_back(std::move(held));
        else if (status == PGRES_FATAL_ERROR && !failed)
            failed = errorOf(*result);
        if (m_isLost)
            return *std::move(failed);
    }
    if (failed)
        return *std::move(failed);
    return rows;
}

Result<std::vector<Rows>> Connection::run(std::span<const Statement> statements)
{
    constexpr std::size_t kMostBytes = 1U << 30U; // PostgreSQL's limit for a value
    for (const Statement& statement : statements)
        for (const Parameter& parameter : statement.parameters)
            if (parameter.bytes.size() >= kMostBytes)
                return Error{ Errc::LimitExceeded,
                              m_shown + ": a value of " + std::to_string(parameter.bytes.size())
                                  + " bytes is more than PostgreSQL stores (1 GB)" };
    if (m_isLost)
        return lost("it was closed");
    m_deadline = Clock::now() + m_patience;
    const auto known = m_prepared.size();
    if (PQenterPipelineMode(m_connection.get()) == 0)
        return lost(messageOf(PQerrorMessage(m_connection.get())));
    if (auto sent = send(statements); !sent)
        return std::move(sent.error());
    auto rows = receive();
    if (m_isLost)
        return rows;
    PQexitPipelineMode(m_connection.get());
    if (!rows && m_prepared.size() != known) // whether the failed batch prepared them is not known
        m_prepared.clear();
    return rows;
}

Result<Rows> Connection::query(const Statement& statement)
{
    auto rows = run({ &statement, 1 });
    if (!rows)
        return std::move(rows.error());
    return rows->empty() ? Rows() : std::move(rows->front());
}

} // namespace sg::postgres
