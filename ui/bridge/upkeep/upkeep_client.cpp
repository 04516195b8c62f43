#include "ui/bridge/upkeep/upkeep_client.h"

#include "core/base/printable.h"
#include "core/projects/project_notes.h"
#include "core/upkeep/pruning.h"
#include "core/upkeep/storage.h"
#include "core/upkeep/thread_bundle.h"
#include "ui/bridge/history/history_client.h"
#include "ui/bridge/history/history_query.h"
#include "ui/bridge/history/notes_client.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/sessions/sessions_client.h"

#include <filesystem>

namespace sg::ui {
namespace {

ThreadBundle bundleOf(const upkeep::BundleReport& report, const QString& file)
{
    ThreadBundle made;
    made.thread = text(report.thread.value);
    made.file = file;
    made.checkpoints = report.checkpoints;
    made.artifacts = report.artifacts;
    made.isWritten = report.isWritten;
    for (const exchange::SecretFinding& secret : report.secrets)
        made.secrets << text(printableText(secret.where + ": " + secret.kind + ", " + secret.masked));
    return made;
}

std::vector<StorageRow> rowsOf(const std::vector<upkeep::StoragePart>& parts)
{
    std::vector<StorageRow> rows;
    for (const upkeep::StoragePart& part : parts)
        rows.push_back({ text(printableText(part.name)), static_cast<double>(part.bytes), part.count });
    return rows;
}

Answer<StorageView> readStorage(workbench::Workbench& workbench)
{
    const auto report = upkeep::storageOf(workbench.parts());
    if (!report)
        return { {}, userError(report.error()) };
    StorageView view;
    view.databaseBytes = static_cast<double>(report->databaseBytes);
    view.artifactBytes = static_cast<double>(report->artifactBytes);
    view.snapshotBytes = static_cast<double>(report->snapshotBytes);
    view.sessionBytes = static_cast<double>(report->sessionBytes);
    view.threads = rowsOf(report->threads);
    view.channels = rowsOf(report->channels);
    view.artifacts = rowsOf(report->artifacts);
    view.files = rowsOf(report->files);
    view.snapshots = rowsOf(report->snapshots);
    return { std::move(view), {} };
}

Answer<PruneOutcome> pruned(workbench::Workbench& workbench, const PruneWish& wish)
{
    upkeep::PruneChoice choice;
    choice.keep = wish.keep;
    if (!wish.thread.isEmpty())
        choice.thread = ThreadId(utf8(wish.thread));
    if (wish.expected >= 0)
        choice.expected = wish.expected;
    PruneOutcome made;
    made.wish = wish;
    const auto report = upkeep::prune(workbench.parts(), choice, wish.isDryRun);
    if (!report)
        return { made, userError(report.error()) };
    made.checkpoints = report->checkpoints;
    made.nested = report->nested;
    made.lostParents = report->lostParents;
    made.bytesBefore = static_cast<double>(report->bytesBefore);
    made.bytesAfter = static_cast<double>(report->bytesAfter);
    for (const upkeep::CutBranch& fork : report->forks)
        made.forks << UpkeepClient::tr("%1, from step %2 to step %3")
                          .arg(text(printableText(fork.thread.value)))
                          .arg(fork.firstStep)
                          .arg(fork.headStep);
    for (const std::string& skipped : report->skipped)
        made.skipped << text(printableText(skipped));
    return { made, {} };
}

} // namespace

UpkeepClient::UpkeepClient(OpenProject& project, HistoryClient& history, NotesClient& notes,
                           SessionsClient& sessions)
    : Client(project)
    , m_history(history)
    , m_notes(notes)
    , m_sessions(sessions)
{
}

void UpkeepClient::exportThread(const QString& thread, const QString& file, bool allowSecrets)
{
    ask(
        slow(),
        [thread, file, allowSecrets](workbench::Workbench& workbench) -> Answer<ThreadBundle> {
            const auto report = upkeep::exportThread(
                workbench.parts(),
                { ThreadId(utf8(thread)), std::filesystem::path(utf8(file)), allowSecrets });
            if (!report)
                return { {}, userError(report.error()) };
            return { bundleOf(*report, file), {} };
        },
        [this](const Answer<ThreadBundle>& answer) { Q_EMIT threadExported(answer.value, answer.error); });
}

void UpkeepClient::importThread(const QString& file, const QString& asThread)
{
    ask(
        slow(),
        [file, asThread](workbench::Workbench& workbench) -> Answer<ThreadBundle> {
            const auto report =
                upkeep::importThread(workbench.parts(), std::filesystem::path(utf8(file)), utf8(asThread));
            if (!report)
                return { {}, userError(report.error()) };
            return { bundleOf(*report, file), {} };
        },
        [this](const Answer<ThreadBundle>& answer) {
            Q_EMIT threadImported(answer.value, answer.error);
            if (answer.error.what.isEmpty())
                m_notes.load(); // the bundle contains the thread's notes
            m_history.refreshThreads();
            m_sessions.refreshSessions();
        });
}

void UpkeepClient::removeThreads(const QStringList& threads)
{
    if (!isOpen() || threads.isEmpty())
        return;
    ask(
        access().pools().keeping,
        [notes = access().notes(), threads](workbench::Workbench& workbench) {
            return sg::ui::removeThreads(workbench, *notes, threads);
        },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                fail(error);
            m_history.refreshThreads();
        });
}

void UpkeepClient::loadStorage()
{
    ask(
        slow(), [](workbench::Workbench& workbench) { return readStorage(workbench); },
        [this](const Answer<StorageView>& answer) { Q_EMIT storageLoaded(answer.value, answer.error); });
}

void UpkeepClient::pruneStorage(const PruneWish& wish)
{
    ask(
        slow(), [wish](workbench::Workbench& workbench) { return pruned(workbench, wish); },
        [this](const Answer<PruneOutcome>& answer) {
            Q_EMIT storagePruned(answer.value, answer.error);
            if (!answer.value.wish.isDryRun && answer.error.what.isEmpty())
                Q_EMIT project().databaseChanged();
        });
}

} // namespace sg::ui
