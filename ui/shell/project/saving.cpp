#include "ui/shell/project/saving.h"

#include "ui/bridge/clients.h"
#include "ui/code/code_editor.h"
#include "ui/code/code_files.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/panels/inspector.h"
#include "ui/replay/replay_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/parts/world_part.h"
#include "ui/shell/pending_field.h"
#include "ui/shell/unsaved_edits.h"
#include "ui/widgets/icons.h"
#include "ui/world/files_panel.h"

#include <QAction>
#include <QMainWindow>
#include <QMessageBox>

#include <utility>

namespace sg::ui {

Saving::Saving(const WindowParts& parts, CanvasPanel& canvas, FilesPanel& panel, ReplayPanel& replay,
               WorldPart& world)
    : WindowPart(parts)
    , m_graph(&canvas)
    , m_files(&panel)
    , m_replay(&replay)
    , m_world(&world)
{
    m_edits = new UnsavedEdits(m_graph->document(), m_clients->editing, this);
    m_save = new QAction(icon(QLatin1String("save")), tr("&Save"), m_window);
    m_save->setShortcut(QKeySequence::Save);
    m_save->setEnabled(false);
    connect(m_save, &QAction::triggered, this, [this] {
        takeField({}, {}); // what it refuses is told; the rest is saved
        saveThen([this] { m_world->saveTextThen({}); });
    });
    m_field = new PendingField(*m_window, *m_graph->inspector());
    connect(m_field, &PendingField::changed, this, &Saving::showModified);
    connect(m_edits, &UnsavedEdits::modifiedChanged, this, [this](bool modified) {
        showModified();
        if (modified && m_edits->isModified())
            m_banners->withdraw(BannerStack::Owner::File); // the problems panel follows the edits
    });
    connect(m_edits, &UnsavedEdits::failed, this, &Saving::showNotSaved);
    connect(m_edits, &UnsavedEdits::saved, this, [this] {
        m_banners->withdraw(BannerStack::Owner::Action);
        for (const std::function<void()>& next : std::exchange(m_afterSave, {}))
            next();
    });
    connect(m_edits, &UnsavedEdits::conflicted, this, &Saving::showConflict);
    connect(m_edits, &UnsavedEdits::recoverable, this, &Saving::offerRecovery);
    connect(m_edits, &UnsavedEdits::shared, this, [this] {
        m_banners->tell(
            BannerStack::Owner::Sharing,
            { .kind = Banner::Kind::Warning,
              .text = tr("**Another window has this graph open.** What is saved there is taken up here; "
                         "neither writes over the other without asking.") });
    });
    connect(&m_clients->project, &OpenProject::openFailed, this, [this] {
        m_discarding = false; // what is shown stays
        m_edits->keepOn();
    });
    CodeFiles* files = &m_graph->code().files();
    connect(files, &CodeFiles::readRequested, &m_clients->editing, &EditingClient::loadCode);
    connect(files, &CodeFiles::saveRequested, &m_clients->editing, &EditingClient::saveCode);
    connect(files, &CodeFiles::keepRequested, &m_clients->editing, &EditingClient::keepCode);
    connect(&m_clients->editing, &EditingClient::codeLoaded, files, &CodeFiles::take);
    connect(&m_clients->editing, &EditingClient::codeSaved, files, &CodeFiles::noteSaved);
    connect(files, &CodeFiles::changed, this, &Saving::showModified);
    connect(files, &CodeFiles::saved, this, [this] {
        if (std::exchange(m_savingCode, false))
            m_edits->save();
    });
    connect(files, &CodeFiles::failed, this, [this](const UserError& error) {
        m_savingCode = false;
        showNotSaved(error);
    });
    connect(m_files, &FilesPanel::modifiedChanged, this, &Saving::showModified);
}

void Saving::begin(const ProjectInfo& info)
{
    m_discarding = false;
    m_edits->open(info);
}

void Saving::end()
{
    delete m_field;
}

void Saving::showNotSaved(const UserError& error)
{
    m_afterSave.clear();
    showError(error);
    Q_EMIT refused(error.what);
}

// Shows why the pending field is invalid; `without` continues without it. Returns false if it was invalid.
bool Saving::takeField(const QString& without, const std::function<void()>& next)
{
    const PendingField::Refusal refusal = m_field->take();
    if (refusal.why.isEmpty()) {
        m_banners->withdraw(BannerStack::Owner::Field);
        return true;
    }
    BannerMessage message{
        .kind = Banner::Kind::Warning,
        .text = next ? tr("**%1 was not taken:** %2. Correct it.").arg(refusal.field, refusal.why)
                     : tr("**%1 was not taken, and is not saved:** %2. Correct it, then save again.")
                           .arg(refusal.field, refusal.why)
    };
    if (next)
        message.actions.push_back({ .text = without, .run = [this, next] {
                                       m_field->passOver();
                                       next();
                                   } });
    m_banners->tell(BannerStack::Owner::Field, std::move(message));
    return false;
}

// Returns true if the user is asked first, about a field, staged changes or a save; `next` may follow.
bool Saving::holdsBack(const QString& without, const std::function<void()>& next)
{
    if (!takeField(without, next))
        return true;
    if (m_replay->hasStaged()) {
        m_replay->mayLeave([this, next] {
            m_replay->close();
            next();
        });
        return true;
    }
    if (mayLose())
        return false;
    askToSave(next);
    return true;
}

void Saving::showModified()
{
    m_window->setWindowModified(isModified());
    m_graph->setWindowModified(m_edits->isModified());
    m_save->setEnabled(isModified() || m_field->isPending());
}

bool Saving::isModified() const
{
    return m_edits->isModified() || m_graph->code().files().isModified() || m_files->isModified();
}

// Code first: a graph's save would make the files that are missing.
void Saving::saveThen(const std::function<void()>& next)
{
    m_afterSave.push_back(next);
    m_savingCode = true;
    m_graph->code().files().save();
}

void Saving::showConflict()
{
    m_afterSave.clear();
    Q_EMIT refused(tr("the graph's file was changed by another program"));
    m_banners->tell(
        BannerStack::Owner::Conflict,
        { .kind = Banner::Kind::Warning,
          .text = tr("**The graph's file was changed by another program** while it was edited here. Nothing "
                     "was overwritten."),
          .isQuestion = true,
          .actions = {
              { .text = tr("Keep mine"), .run = [this] { m_edits->overwrite(); } },
              { .text = tr("Take the file's"), .run = [this] { takeTheFiles(); }, .isLink = true } } });
}

void Saving::takeTheFiles()
{
    if (!m_edits->takeTheirs()) {
        m_edits->forget();
        m_graph->document().setSaved(); // so that the file takes its place, to be looked at alone
    }
    m_clients->editing.reloadGraph(); // what else it says: mode, network, problems
}

void Saving::offerRecovery()
{
    m_banners->tell(
        BannerStack::Owner::Recovery,
        { .text = m_edits->isJournalOlder()
              ? tr("**Edits that were not saved were found.** The file was changed since they "
                   "were made: a save will ask before they go over it.")
              : tr("**Edits that were not saved were found.** The window ended before they were."),
          .isQuestion = true,
          .actions = { { .text = tr("Recover"), .run = [this] { m_edits->recover(); } },
                       { .text = tr("Discard"), .run = [this] { m_edits->forget(); }, .isLink = true } } });
}

void Saving::askToSave(const std::function<void()>& next)
{
    auto* question =
        new QMessageBox(QMessageBox::Warning, tr("Save changes?"),
                        tr("%1 has changes that are not saved.").arg(m_clients->project.info().graphName),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QMessageBox::finished, this, [this, next](int answer) {
        if (answer == QMessageBox::Save) {
            saveThen([this, next] { m_world->saveTextThen(next); });
        } else if (answer == QMessageBox::Discard) {
            m_discarding = true;
            m_edits->forget();
            m_graph->code().files().discard();
            m_files->closeText();
            next();
        }
    });
    question->open();
}

bool Saving::mayLose() const
{
    return m_discarding || !isModified();
}

} // namespace sg::ui
