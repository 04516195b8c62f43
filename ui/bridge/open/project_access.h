#pragma once

#include "ui/bridge/open/open_project.h"

#include <memory>
#include <utility>

namespace sg::ui {

// The side of the open project that its clients alone see: the workbench, what is stored beside it, and the
// threads that ask them.
class ProjectAccess {
public:
    [[nodiscard]] WorkerPools& pools() const { return m_project.m_pools; }
    [[nodiscard]] LiveEvents& live() const { return m_project.m_live; } // for any open project
    [[nodiscard]] const std::shared_ptr<workbench::Workbench>& workbench() const
    {
        return m_project.m_workbench;
    }
    [[nodiscard]] const std::shared_ptr<projects::ProjectNotes>& notes() const { return m_project.m_notes; }
    [[nodiscard]] const std::shared_ptr<projects::EditJournal>& journal() const // null: there is no graph
    {
        return m_project.m_journal;
    }
    [[nodiscard]] std::shared_ptr<history::UsageBook> usage() const { return m_project.usage(); }
    [[nodiscard]] int generation() const { return m_project.m_generation; } // changes after each closing()
    void setInfo(ProjectInfo info) const { m_project.m_info = std::move(info); }
    // See OpenProject::run().
    template<typename Work, typename Apply>
    void run(QObject* context, QThreadPool& pool, Work work, Apply apply, int counts = 1) const
    {
        m_project.run(context, pool, std::move(work), std::move(apply), counts);
    }
    // Tells that a cell of this window starts or ends writing to the database.
    void noteCell(const QString& thread, bool isRunning) const { m_project.noteCell(thread, isRunning); }
    // Destroys the part on a worker thread, because that may take long.
    void retire(std::shared_ptr<void> part) const { m_project.retire(std::move(part)); }

private:
    friend class Client;
    explicit ProjectAccess(OpenProject& project)
        : m_project(project)
    {
    }

    OpenProject& m_project;
};

} // namespace sg::ui
