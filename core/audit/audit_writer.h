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

// Writes this process's rows to a project's audit log, in the order in which they are added. The first row
// that cannot be written gives a warning; whoever adds a row decides whether work goes on. Rows that nobody
// waits for are tried again if the failure was not their own; rows lost in the end are counted and reported.
// Any thread.
class AuditWriter {
public:
    explicit AuditWriter(std::filesystem::path file);
    ~AuditWriter(); // writes waiting rows first
    AuditWriter(const AuditWriter&) = delete;
    AuditWriter& operator=(const AuditWriter&) = delete;

    Result<void> add(AuditEntry entry);
    // Does not wait for the disk: the row is written a moment later, before all rows added after it. A row
    // for a start is written at once in the background; one for an end may wait a little for the next row.
    void addSoon(AuditEntry entry);
    // Publishes each row once it is written, in order, on any thread.
    Publisher<AuditEntry>& rows() { return m_rows; }
    void setTenant(const std::string& tenant); // for rows added from now on

private:
    Result<void> append(std::span<AuditEntry> entries);
    std::size_t write(std::span<AuditEntry> entries, Result<void>& why);
    Result<void> writeWaiting();
    void putBack(std::vector<AuditEntry> entries);
    void work(const std::stop_token& stop);

    const std::filesystem::path m_file;
    Publisher<AuditEntry> m_rows; // has its own lock
    std::mutex m_mutex; // held while a row is written; taken before m_waitingMutex
    // Guarded by m_mutex:
    std::unique_ptr<AuditLog> m_log; // null until the first row
    bool m_hasWarned = false;

    std::mutex m_waitingMutex;
    std::condition_variable_any m_hasCome;
    // Guarded by m_waitingMutex:
    std::vector<AuditEntry> m_waiting;
    bool m_isUrgent = false; // some row in m_waiting must be written at once
    bool m_isLooking = false; // the writer will look soon without a signal
    std::chrono::steady_clock::time_point m_notBefore; // when rows that were put back are tried again
    std::size_t m_lost = 0; // number of rows
    std::string m_tenant;
    std::jthread m_writer; // writes waiting rows; last, so that it ends first
};

} // namespace sg::audit
