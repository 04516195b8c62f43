#pragma once

#include <QStringList>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace sg::ui {

// A file of a session that is to be copied out, and the folder among the copies where it goes: "" beside the
// others, "plots/deep" in a folder that was chosen as a whole.
struct WantedFile {
    QString path; // beneath /session
    QString into = {};
};

// Copies that are being made for a drag: the window shows the drag at once, and whoever wants the files waits
// for them here. Any thread.
class StagedFiles {
public:
    void finish(const QStringList& files, const QString& problem) // once
    {
        {
            const std::lock_guard lock(m_mutex);
            m_files = files;
            m_problem = problem;
            m_done = true;
        }
        m_changed.notify_all();
    }
    [[nodiscard]] bool isDone() const
    {
        const std::lock_guard lock(m_mutex);
        return m_done;
    }
    // Empty: they could not be made, or not within that time.
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

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    // Guarded by m_mutex:
    bool m_done = false;
    QStringList m_files;
    QString m_problem;
};

} // namespace sg::ui
