#include "core/projects/project.h"
#include "ui/bridge/overview_query.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"

#include <algorithm>

// Questions about many states or all threads, and a foreign database that becomes a project.
namespace sg::ui {
namespace {

constexpr qsizetype kFirstWatched = 500; // checkpoints: then the window hears of them
constexpr qsizetype kWatchedAtOnce = 4000; // the same, of those behind them

struct Watching {
    // Not an owner: this dies on the window's thread, where a project must not be closed.
    std::weak_ptr<workbench::Workbench> workbench;
    std::optional<history::Watch> watch; // reaches into the workbench only while it is asked
    QString thread;
    QString program;
    QStringList way;
    qsizetype done = 0;
};

WatchRows watchOn(Watching& watching)
{
    WatchRows rows;
    rows.isLast = true;
    const std::shared_ptr<workbench::Workbench> workbench = watching.workbench.lock();
    if (!workbench)
        return rows; // another project is open: nobody hears this
    if (!watching.watch) {
        watching.watch.emplace(
            workbench->history().watch(ThreadId(utf8(watching.thread)), utf8(watching.program)));
        if (auto valid = watching.watch->check(); !valid)
            rows.error = userError(valid.error()).what;
    }
    const qsizetype count =
        std::min(watching.done == 0 ? kFirstWatched : kWatchedAtOnce, watching.way.size() - watching.done);
    if (rows.error.isEmpty() && count > 0) {
        std::vector<CheckpointId> ids;
        for (const QString& id : watching.way.mid(watching.done, count))
            ids.emplace_back(utf8(id));
        auto points = watching.watch->points(ids);
        if (points)
            rows = watchRows(*points);
        else
            rows.error = userError(points.error()).what;
        watching.done += count;
    }
    rows.thread = watching.thread;
    rows.program = watching.program;
    rows.isLast = !rows.error.isEmpty() || watching.done >= watching.way.size();
    return rows;
}

} // namespace

void ProjectBridge::watch(const QString& thread, const QStringList& way, const QString& program)
{
    if (!isOpen())
        return;
    auto watching = std::make_shared<Watching>();
    watching->workbench = m_impl->workbench;
    watching->thread = thread;
    watching->program = program;
    watching->way = way;
    watchNext([watching] { return watchOn(*watching); }, ++m_impl->watches);
}

void ProjectBridge::watchNext(const std::function<WatchRows()>& work, quint64 asked)
{
    m_impl->ask(m_impl->slow, work, [this, work, asked](const WatchRows& rows) {
        if (asked != m_impl->watches)
            return; // a newer question is under way
        Q_EMIT watched(rows);
        if (!rows.isLast && asked == m_impl->watches)
            watchNext(work, asked);
    });
}

void ProjectBridge::loadWatches()
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->editing,
        [notes = m_impl->notes] {
            QStringList programs;
            if (const auto found = notes->watches()) // the notes themselves say where the file is broken
                for (const std::string& program : *found)
                    programs << text(program);
            return programs;
        },
        [this](const QStringList& programs) { Q_EMIT watchesLoaded(programs); });
}

void ProjectBridge::keepWatches(const QStringList& programs)
{
    if (!isOpen())
        return;
    std::vector<std::string> kept;
    for (const QString& program : programs)
        kept.push_back(utf8(program));
    m_impl->ask(
        m_impl->editing,
        [notes = m_impl->notes, kept = std::move(kept)] {
            const auto done = notes->setWatches(kept);
            return done ? UserError() : userError(done.error());
        },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                Q_EMIT queryFailed(error);
        });
}

void ProjectBridge::loadSkeleton(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread] {
            auto found = workbench->history().skeleton(ThreadId(utf8(thread)));
            return found ? std::move(*found) : graph::Graph(); // what cannot be read, the history says
        },
        [this, thread](const graph::Graph& graph) { Q_EMIT skeletonLoaded(thread, graph); });
}

void ProjectBridge::loadOverview()
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench] { return readOverview(*workbench); },
        [this](const Answer<std::vector<OverviewRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT overviewLoaded(answer.value);
            else
                Q_EMIT overviewFailed(answer.error);
        });
}

void ProjectBridge::copyDatabase(const QString& folder)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [database = m_impl->info.database, folder] {
            auto copied = projects::copyToProject(utf8(database), utf8(folder));
            return copied ? UserError() : userError(copied.error());
        },
        [this, folder](const UserError& error) { Q_EMIT databaseCopied(folder, error); });
}

} // namespace sg::ui
