#pragma once

#include "core/audit/audit_log.h"
#include "core/base/subscription.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace sg::audit {

// What a project's audit log is told by this process, in the order in which it is told. A row that cannot be
// written is a warning, once; whoever adds it decides whether work goes on. Rows that nobody waits for are
// tried again where it was not their own fault; what is lost in the end is counted and said. Any thread.
class AuditWriter {
public:
    explicit AuditWriter(std::filesystem::path file);
    ~AuditWriter(); // what waits is written first
    AuditWriter(const AuditWriter&) = delete;
    AuditWriter& operator=(const AuditWriter&) = delete;

    Result<void> add(AuditEntry entry);
    // Without waiting for the disk: written a moment later, before all that is added after it. What has
    // started is written at once, while it goes on; what has ended may wait a little for what comes next.
    void addSoon(AuditEntry entry);
    // Each row once it is written, in order, on any thread.
    Publisher<AuditEntry>& rows() { return m_rows; }
    void setTenant(const std::string& tenant); // of rows from now on

private:
    Result<void> append(std::span<AuditEntry> entries);
    std::size_t write(std::span<AuditEntry> entries, Result<void>& why);
    Result<void> writeWaiting();
    void putBack(std::vector<AuditEntry> entries);
    void work(const std::stop_token& stop);

    const std::filesystem::path m_file;
    Publisher<AuditEntry> m_rows; // has its own lock
    std::mutex m_mutex; // held while a row is written; taken before the other one
    // Guarded by m_mutex:
    std::unique_ptr<AuditLog> m_log; // null until there is a first row
    bool m_hasWarned = false;

    std::mutex m_waitingMutex;
    std::condition_variable_any m_hasCome;
    // Guarded by m_waitingMutex:
    std::vector<AuditEntry> m_waiting;
    bool m_isUrgent = false; // something of m_waiting
    bool m_isLooking = false; // the writer: soon, by itself
    std::chrono::steady_clock::time_point m_notBefore; // what was put back is tried again
    std::size_t m_lost = 0; // rows
    std::string m_tenant;
    std::jthread m_writer; // of rows that wait; last: ends first
};

} // namespace sg::audit
