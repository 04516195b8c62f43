#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/postgres/connection.h"
#include "core/postgres/outage.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace sg::checkpoint {

// The one session that writes, behind a mutex. Statements are collected and sent at once when a transaction
// ends, so that a superstep costs one round trip; if the session is lost they are sent again on a new one,
// which is why each must do no harm when it is repeated. Any thread may use it.
class PgWriter {
public:
    PgWriter(postgres::Address address, const PostgresStoreOptions& options,
             std::shared_ptr<postgres::Outage> outage)
        : m_address(std::move(address))
        , m_options(options)
        , m_outage(std::move(outage))
    {
    }

    // Connects and makes what tables are missing.
    Result<void> open();

    // All that `work` adds is one transaction. Its error leaves nothing behind. `committed` is called after
    // the commit, before another transaction begins.
    Result<void> together(const std::function<Result<void>()>& work,
                          const std::function<void()>& committed = {});
    [[nodiscard]] bool isTogetherHere() const { return m_togetherThread == std::this_thread::get_id(); }
    // These two are for the work of together().
    void add(const ThreadId& thread, postgres::Statement statement);
    void addHead(const CheckpointRef& ref); // the checkpoint that the transaction writes
    // Sees what the transaction has written so far.
    Result<postgres::Rows> query(const postgres::Statement& statement);

    // Keeps other programs' runs from the thread until release(), by an advisory lock of the session. If the
    // session is lost, it is ended on the server, where it may live on, and the lock is taken again before
    // anything else is written. Errc::Conflict is returned from then on if another program has gone on with
    // the thread meanwhile.
    Result<void> hold(const ThreadId& thread);
    void release(const ThreadId& thread);

private:
    using Statements = std::vector<postgres::Statement>;
    struct Held {
        std::string head; // the newest checkpoint of the root graph when this program wrote or read it last
        bool isTaken = false; // another program went on with it
    };

    Result<postgres::Connection*> connection();
    Result<void> holdAgain(postgres::Connection& connection);
    Result<bool> take(postgres::Connection& connection, const ThreadId& thread) const;
    Result<void> checkHeld() const;
    Result<void> send(const Statements& statements);
    Result<void> commit();
    void rollback();

    // constant after construction
    const postgres::Address m_address;
    const PostgresStoreOptions m_options;
    // shared with the readers: the writer may outlive the store
    const std::shared_ptr<postgres::Outage> m_outage;

    std::mutex m_mutex;
    // guarded by m_mutex
    std::unique_ptr<postgres::Connection> m_connection;
    bool m_wasOpen = false;
    std::vector<int> m_processes; // of the server, behind sessions that were opened, newest last
    std::map<ThreadId, Held> m_held;
    Statements m_waiting; // of the transaction, not sent yet
    Statements m_sent; // of the transaction, within an open BEGIN
    bool m_hasBegun = false;
    std::set<ThreadId> m_threads; // that the transaction writes
    std::map<ThreadId, std::string> m_heads; // that it writes
    std::atomic<std::thread::id> m_togetherThread; // the thread whose work holds m_mutex
};

} // namespace sg::checkpoint
