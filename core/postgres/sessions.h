#pragma once

#include "core/base/result.h"
#include "core/postgres/connection.h"
#include "core/postgres/outage.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace sg::postgres {

struct SessionOptions {
    bool readOnly = true; // the server refuses what would write
    // A statement may take this long, and a lost connection is tried again this long.
    int statementTimeoutMs = 60'000;
    int reconnectMs = 20'000;
};

// Sessions of one database, each statement a transaction of its own. They are kept for the next statement.
// Any thread.
class Sessions {
public:
    // Looks for the tables, and may make them. False: they are not there. Asked until it once says yes.
    using Tables = std::function<Result<bool>(Connection&)>;

    Sessions(Address address, const SessionOptions& options, std::shared_ptr<Outage> outage, Tables tables)
        : m_address(std::move(address))
        , m_options(options)
        , m_outage(std::move(outage))
        , m_tables(std::move(tables))
    {
    }
    Result<void> open(); // connects once, and looks for the tables
    enum class Waits { ForTheServer, Never };
    // Returns no rows in a database without the tables. A session that is lost is made anew, and the
    // statement sent again, as it is where another transaction stands in its way: it must do no harm when it
    // is repeated. The options say how long that is tried.
    Result<Rows> query(const Statement& statement, Waits waits = Waits::ForTheServer);
    void giveUpWaiting(); // from now on no connection is tried again; statements that wait for one fail
    Result<bool> hasTables();

private:
    Result<std::unique_ptr<Connection>> take();
    void giveBack(std::unique_ptr<Connection> session);

    // constant after construction
    const Address m_address;
    const SessionOptions m_options;
    const std::shared_ptr<Outage> m_outage; // shared with others that ask the same server
    const Tables m_tables;

    std::atomic<bool> m_wasOpen = false;
    std::atomic<bool> m_hasTables = false;
    std::mutex m_mutex;
    std::condition_variable m_given; // up
    bool m_hasGivenUp = false; // guarded by m_mutex
    std::vector<std::unique_ptr<Connection>> m_idle; // guarded by m_mutex
};

} // namespace sg::postgres
