#pragma once

#include <QStringList>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace sg::ui {

// A file of a session to copy out. `into` is its folder among the copies: "", or "plots/deep" if it is in a
// folder that was chosen as a whole.
struct WantedFile {
    QString path; // beneath /session
    QString into = {};
    qint64 size = -1; // -1 if unknown
};

// Copies that are being made for a drag: the drag starts at once, and whoever wants the files waits for them
// here. Any thread.
class StagedFiles {
public:
    // The copying side says where the copies go and how far it is.
    void begin(const QString& folder, qint64 totalBytes) // -1 if unknown
    {
        const std::lock_guard lock(m_mutex);
        m_folder = folder;
        m_total = totalBytes;
    }
    void noteCopied(qint64 moreBytes) { m_copied += moreBytes; }
    // `files` are the copies that were made; `problem` names the others.
    void finish(const QStringList& files, const QString& problem) // called once
    {
        {
            const std::lock_guard lock(m_mutex);
            m_files = files;
            m_problem = problem;
            m_done = true;
        }
        m_changed.notify_all();
    }
    // Nobody wants the copies any more: the copying side stops.
    void giveUp() { m_stop.request_stop(); }
    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }

    [[nodiscard]] bool isDone() const
    {
        const std::lock_guard lock(m_mutex);
        return m_done;
    }
    // Empty if the copies could not be made, or not within `most`.
    [[nodiscard]] QStringList wait(std::chrono::milliseconds most) const
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, most, [this] { return m_done; });
        return m_files;
    }
    [[nodiscard]] QString problem() const
    {
        const std::lock_guard lock(m_mutex);
        return m_problem;
    }
    [[nodiscard]] QString folder() const // empty if none was made
    {
        const std::lock_guard lock(m_mutex);
        return m_folder;
    }
    [[nodiscard]] qint64 totalBytes() const
    {
        const std::lock_guard lock(m_mutex);
        return m_total;
    }
    [[nodiscard]] qint64 copiedBytes() const { return m_copied; }

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    std::stop_source m_stop;
    std::atomic<qint64> m_copied = 0;
    // Guarded by m_mutex:
    bool m_done = false;
    QStringList m_files;
    QString m_problem;
    QString m_folder;
    qint64 m_total = -1;
};

} // namespace sg::ui
