#include "ui/shell/unsaved_edits.h"

#include "core/graph/graph_file.h"
#include "ui/graph/edits/graph_document.h"

#include <utility>
#include <vector>

namespace sg::ui {
namespace {

constexpr int kCheckMs = 150;
constexpr int kKeepMs = 700; // at most this much is lost in a crash

} // namespace

UnsavedEdits::UnsavedEdits(GraphDocument& document, EditingClient& editing, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_editing(editing)
{
    m_checkSoon.setSingleShot(true);
    m_checkSoon.setInterval(kCheckMs);
    m_keepSoon.setSingleShot(true);
    m_keepSoon.setInterval(kKeepMs);
    connect(&m_checkSoon, &QTimer::timeout, this, &UnsavedEdits::check);
    connect(&m_keepSoon, &QTimer::timeout, this, &UnsavedEdits::keep);
    connect(&m_document, &GraphDocument::graphEdited, this, &UnsavedEdits::takeStep);
    connect(
        &m_document.steps(), &QUndoStack::cleanChanged, this,
        [this](bool clean) { Q_EMIT modifiedChanged(!clean); },
        Qt::QueuedConnection); // the stack tells of its end too, when the window is going
    connect(&m_editing, &EditingClient::graphSaved, this, &UnsavedEdits::noteSaved);
}

std::string UnsavedEdits::text() const
{
    return graph::graphText(m_document.whole());
}

bool UnsavedEdits::isModified() const
{
    return m_document.isModified();
}

void UnsavedEdits::open(const ProjectInfo& info)
{
    m_checkSoon.stop();
    m_keepSoon.stop();
    m_onDisk = info.fileText;
    m_conflicted = m_saving = m_savesAgain = m_missedChange = false;
    m_journal = info.unsaved;
    m_isJournalOlder = info.isUnsavedOlder;
    if (!m_journal.empty() && m_journal != m_onDisk && info.editFault.isEmpty())
        Q_EMIT recoverable();
    else if (info.isOpenElsewhere)
        Q_EMIT shared();
}

UnsavedEdits::Taken UnsavedEdits::fileChanged(const ProjectInfo& info)
{
    m_missedChange = m_saving;
    if (info.fileText == m_onDisk || m_saving)
        return Taken::Own;
    if (isModified() && info.fileText != text()) {
        conflict(info.fileText);
        return Taken::Conflict;
    }
    m_theirs = m_onDisk = info.fileText;
    m_conflicted = false;
    return Taken::Anew;
}

void UnsavedEdits::conflict(const std::string& theirs)
{
    m_theirs = theirs;
    m_conflicted = true;
    Q_EMIT conflicted();
}

void UnsavedEdits::takeStep()
{
    m_checkSoon.start();
    if (!m_keepSoon.isActive())
        m_keepSoon.start(); // not anew at each step: steps without a pause are kept too
}

void UnsavedEdits::check()
{
    m_editing.checkGraph(text());
}

void UnsavedEdits::keep()
{
    m_editing.keepEdits(isModified() ? text() : std::string(), m_onDisk);
}

void UnsavedEdits::save()
{
    if (m_saving) {
        m_savesAgain = true;
        return;
    }
    if (m_conflicted) {
        Q_EMIT conflicted();
        return;
    }
    if (!isModified()) {
        Q_EMIT saved();
        return;
    }
    write();
}

void UnsavedEdits::write()
{
    m_keepSoon.stop();
    m_saving = true;
    m_editing.saveGraph(text(), m_onDisk);
}

void UnsavedEdits::overwrite()
{
    m_onDisk = m_theirs;
    m_conflicted = false;
    if (m_saving)
        m_savesAgain = true;
    else
        write(); // also where everything was undone meanwhile: the file holds something else
}

bool UnsavedEdits::takeTheirs()
{
    auto file = graph::parseGraph(m_theirs);
    if (!file || !file->skipped.empty() || !m_document.isEditable())
        return false;
    m_onDisk = m_theirs;
    m_conflicted = false;
    const std::vector<NodeId> path = m_document.path();
    m_document.goTo({});
    m_document.edit(tr("Changes of the file"), [&](graph::Graph& graph) { graph = file->graph; });
    m_document.goTo(path);
    m_document.setSaved();
    m_keepSoon.stop();
    m_editing.keepEdits({}, {});
    return true;
}

void UnsavedEdits::noteSaved(const std::string& written, const UserError& error,
                             const std::optional<std::string>& theirs)
{
    m_saving = false;
    const bool savesAgain = std::exchange(m_savesAgain, false);
    const bool missedChange = std::exchange(m_missedChange, false);
    if (theirs)
        return conflict(*theirs);
    if (!error.what.isEmpty()) {
        Q_EMIT failed(error);
        return;
    }
    m_onDisk = written;
    if (missedChange)
        m_editing.reloadGraph();
    if (written == text())
        m_document.setSaved();
    else if (savesAgain)
        return write();
    else
        m_keepSoon.start(); // edited meanwhile
    check(); // code files may exist now
    Q_EMIT saved();
}

// Edits that were made on another file than is there now are shown, but a save asks before they go over it.
void UnsavedEdits::recover()
{
    auto file = graph::parseGraph(m_journal);
    m_document.goTo({});
    if (file)
        m_document.edit(tr("Recover edits"), [&](graph::Graph& graph) { graph = file->graph; });
    m_journal.clear();
    if (std::exchange(m_isJournalOlder, false) && isModified()) {
        m_theirs = m_onDisk;
        m_conflicted = true;
    }
}

void UnsavedEdits::forget()
{
    m_journal.clear();
    m_keepSoon.stop();
    m_conflicted = false;
    m_editing.keepEdits({}, {});
}

void UnsavedEdits::keepOn()
{
    if (isModified())
        m_keepSoon.start();
}

} // namespace sg::ui
