#pragma once

#include "core/base/result.h"
#include "core/checkpoint/postgres/pg_connection.h"
#include "core/checkpoint/postgres/pg_outage.h"
#include "core/checkpoint/postgres_checkpoint_store.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace sg::checkpoint {

// Sessions that read, kept for the next question; they cannot write. Any thread.
class PgReaders {
public:
    PgReaders(PgAddress address, const PostgresStoreOptions& options, std::shared_ptr<PgOutage> outage)
        : m_address(std::move(address))
        , m_options(options)
        , m_outage(std::move(outage))
    {
    }
    Result<void> open(); // connects once, and checks whose tables these are
    enum class Waits { ForTheServer, Never };
    // Returns no rows in a database without LangGraph's tables. A session that is lost is made anew; the
    // options say how long that is tried.
    Result<PgRows> query(const PgStatement& statement, Waits waits = Waits::ForTheServer);
    void giveUpWaiting(); // from now on no connection is tried again; questions that wait for one fail
    Result<bool> hasTables();

private:
    Result<std::unique_ptr<PgConnection>> take();
    void giveBack(std::unique_ptr<PgConnection> session);

    // constant after construction
    const PgAddress m_address;
    const PostgresStoreOptions m_options;
    const std::shared_ptr<PgOutage> m_outage; // shared with the writer

    std::atomic<bool> m_wasOpen = false;
    std::atomic<bool> m_hasTables = false;
    std::mutex m_mutex;
    std::condition_variable m_given; // up
    bool m_hasGivenUp = false; // guarded by m_mutex
    std::vector<std::unique_ptr<PgConnection>> m_idle; // guarded by m_mutex
};

} // namespace sg::checkpoint
