#include "ui/shell/macros.h"

#include "core/base/file.h"
#include "ui/bridge/clients.h"
#include "ui/commands/command_list.h"
#include "ui/macro/macro_file.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QSet>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kMostListed = 50;

// Looking for a command is no step, and a macro records no macro.
bool isStep(const QString& command)
{
    static const std::array passed{ QLatin1String("help.find-a-command"),
                                    QLatin1String("help.keyboard-shortcuts"), QLatin1String("window.go-to") };
    return !command.startsWith(QLatin1String("macro.")) && std::ranges::find(passed, command) == passed.end();
}

QString ending()
{
    return QString::fromLatin1(kMacroEnding.data(), static_cast<qsizetype>(kMacroEnding.size()));
}

QString usersFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/macros");
}

struct Read {
    Macro macro;
    QString fault;
};

Read readMacro(const QString& file)
{
    auto macro = loadMacro(file.toStdString());
    return macro ? Read{ *std::move(macro), {} } : Read{ {}, QString::fromStdString(macro.error().message) };
}

QString writeMacro(const QString& file, const Macro& macro)
{
    auto written = writeFileAtomically(file.toStdString(), macroText(macro));
    return written ? QString() : QString::fromStdString(written.error().message);
}

} // namespace

Macros::Macros(const WindowDesk::Parts& parts, QWidget& window, QStatusBar& bar)
    : QObject(&window)
    , m_desk(parts)
    , m_window(window)
    , m_recorder([this] { return m_desk.chosen(); })
    , m_player(m_desk)
    , m_reading(this)
    , m_writing(this)
    , m_making(this)
    , m_listing(this)
    , m_record(new QAction(icon(QLatin1String("record")), tr("&Record a macro"), this))
    , m_stop(new QAction(icon(QLatin1String("stop")), tr("&Stop recording and save…"), this))
    , m_play(new QAction(icon(QLatin1String("play")), tr("&Play a macro…"), this))
    , m_cancel(new QAction(icon(QLatin1String("stop")), tr("Stop the macro that &plays"), this))
    , m_state(new QToolButton(&bar))
{
    m_record->setObjectName(QStringLiteral("macro.record"));
    m_stop->setObjectName(QStringLiteral("macro.stop"));
    m_play->setObjectName(QStringLiteral("macro.play"));
    m_cancel->setObjectName(QStringLiteral("macro.cancel"));
    connect(m_record, &QAction::triggered, this, &Macros::record);
    connect(m_stop, &QAction::triggered, this, &Macros::save);
    connect(m_play, &QAction::triggered, this, &Macros::choose);
    connect(m_cancel, &QAction::triggered, &m_player, &MacroPlayer::stop);
    m_state->setObjectName(QStringLiteral("macroState"));
    m_state->setAutoRaise(true);
    m_state->setFont(uiFont(TextSize::Dense));
    m_state->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_state->setIconSize({ 14, 14 });
    bar.addPermanentWidget(m_state);
    connect(m_state, &QToolButton::clicked, this,
            [this] { (m_player.isPlaying() ? m_cancel : m_stop)->trigger(); });
    connect(&m_recorder, &MacroRecorder::changed, this, &Macros::showState);
    connect(&m_player, &MacroPlayer::ended, this, [this](const QString& reason, bool isRunsFault) {
        showState();
        if (reason.isEmpty())
            Q_EMIT told(tr("The macro %1 is done").arg(m_player.title()));
        else
            Q_EMIT failed({ reason, {} });
        Q_EMIT ended(reason, isRunsFault, false);
    });
    follow(parts);
    showState();
}

void Macros::follow(const WindowDesk::Parts& parts)
{
    connect(&parts.commands, &CommandList::given, this, [this](const QString& id) {
        if (isStep(id) && !m_player.isPlaying())
            m_recorder.noteCommand(id);
    });
    for (const auto changed :
         { &Selection::threadChanged, &Selection::checkpointChanged, &Selection::nodeChanged })
        connect(&parts.selection, changed, &m_recorder, &MacroRecorder::noteChoice);
    connect(&parts.runBar, &RunBar::runRequested, &m_recorder, &MacroRecorder::noteRun);
    const auto isShown = [&selection = parts.selection](const QString& thread) {
        return thread == selection.thread();
    };
    connect(&parts.clients.runs, &RunsClient::runStarted, this, [this, isShown](const QString& thread) {
        if (!isShown(thread))
            return;
        m_recorder.noteRunStarted();
        m_player.noteRunStarted();
    });
    connect(&parts.clients.runs, &RunsClient::runFinished, this,
            [this, isShown](const QString& thread, RunStatus status, const UserError& error) {
                if (!isShown(thread))
                    return;
                m_recorder.noteRunEnded(status);
                m_player.noteRunEnded(status, error.what);
            });
    connect(&parts.clients.runs, &RunsClient::runRefused, this,
            [this, isShown](const QString& thread, const UserError& error) {
                if (isShown(thread))
                    m_player.noteRefused(error.what);
            });
}

void Macros::fill(QMenu& tools)
{
    tools.addActions({ m_record, m_stop });
    tools.addSeparator();
    tools.addActions({ m_play, m_cancel });
    m_menu = tools.addMenu(tr("&Macros"));
    connect(m_menu, &QMenu::aboutToShow, this, [this] {
        fillFiles();
        if (!m_isListing)
            list();
    });
    fillFiles();
    list();
}

std::vector<Macros::File> Macros::filesIn(const QStringList& folders)
{
    std::vector<File> files;
    QSet<QString> known;
    for (const QString& place : folders)
        for (const QFileInfo& file :
             QDir(place).entryInfoList({ QLatin1Char('*') + ending() }, QDir::Files, QDir::Name)) {
            QString name = file.fileName();
            name.chop(ending().size());
            if (known.contains(name) || known.size() >= kMostListed)
                continue;
            known.insert(name);
            files.push_back({ name, file.filePath() });
        }
    return files;
}

void Macros::list()
{
    m_isListing = true;
    QStringList folders{ usersFolder() };
    if (!m_project.isEmpty())
        folders.prepend(folder());
    m_listing.start([folders](const CancelFlag&) { return filesIn(folders); },
                    [this](const std::vector<File>& found) {
                        m_isListing = false;
                        if (found == m_files)
                            return;
                        m_files = found;
                        fillFiles();
                        m_desk.parts().commands.adopt();
                    });
}

void Macros::fillFiles()
{
    m_menu->clear();
    for (const File& file : m_files) {
        QAction* action = m_menu->addAction(
            tr("Play %1").arg(QString(file.name).replace(QLatin1Char('&'), QLatin1String("&&"))), this,
            [this, path = file.path] { play(path); });
        action->setObjectName(QStringLiteral("macro.play.") + file.name);
        action->setEnabled(!m_player.isPlaying());
    }
    if (m_files.empty()) {
        QAction* none = m_menu->addAction(tr("No macros yet: record one"));
        none->setObjectName(QStringLiteral("macro.none"));
        none->setEnabled(false);
    }
}

void Macros::setProject(const QString& folder)
{
    m_project = folder;
    list();
}

QString Macros::folder() const
{
    return m_project.isEmpty() ? usersFolder() : m_project + QStringLiteral("/macros");
}

void Macros::record()
{
    if (mayLeave([this] { m_recorder.start(); }))
        m_recorder.start();
}

bool Macros::mayLeave(const std::function<void()>& next)
{
    const std::size_t steps = m_unsaved ? m_unsaved->steps.size() : m_recorder.count();
    if (steps == 0)
        return true;
    auto* question =
        new QMessageBox(QMessageBox::Warning, tr("Save the macro?"),
                        tr("A macro of %1 steps was recorded and is not saved.").arg(steps),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_window);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QMessageBox::finished, this, [this, next](int answer) {
        if (answer == QMessageBox::Save) {
            m_afterSave = next;
            save();
        } else if (answer == QMessageBox::Discard) {
            m_unsaved.reset();
            std::ignore = m_recorder.stop();
            next();
        }
    });
    question->open();
    return false;
}

// A recording is kept until it is written, or the user does not want it.
void Macros::save()
{
    if (m_recorder.isRecording()) {
        Macro macro = m_recorder.stop();
        if (!macro.steps.empty())
            m_unsaved = std::move(macro);
        showState();
    }
    if (!m_unsaved) {
        Q_EMIT told(tr("Nothing was recorded"));
        return;
    }
    m_making.start([folder = folder()](const CancelFlag&) { return QDir().mkpath(folder); },
                   [this](bool) { askWhere(); });
}

void Macros::askWhere()
{
    auto* dialog = new QFileDialog(&m_window, tr("Save the macro"), folder(),
                                   tr("Macros (*.macro.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending().mid(1)); // before it asks whether to write over a file
    dialog->selectFile(QStringLiteral("macro") + ending());
    connect(dialog, &QFileDialog::fileSelected, this, &Macros::write);
    connect(dialog, &QDialog::rejected, this, [this] { m_afterSave = {}; });
    dialog->open();
}

void Macros::write(const QString& file)
{
    if (!m_unsaved)
        return;
    Macro macro = *std::exchange(m_unsaved, {});
    QString name = QFileInfo(file).fileName();
    if (name.endsWith(ending()))
        name.chop(ending().size());
    macro.name = name.toStdString();
    showState();
    m_writing.start([file, macro](const CancelFlag&) { return writeMacro(file, macro); },
                    [this, file, macro](const QString& fault) { noteWritten(file, macro, fault); });
}

void Macros::noteWritten(const QString& file, const Macro& macro, const QString& fault)
{
    const std::function<void()> next = std::exchange(m_afterSave, {});
    if (!fault.isEmpty()) {
        if (!m_unsaved)
            m_unsaved = macro;
        showState();
        Q_EMIT failed(
            { tr("**The macro was not saved.** %1. It is kept: save it elsewhere.").arg(fault), {} });
        return;
    }
    list();
    Q_EMIT told(tr("The macro was saved: %1 steps in %2")
                    .arg(macro.steps.size())
                    .arg(QDir::toNativeSeparators(file)));
    if (next)
        next();
}

void Macros::choose()
{
    auto* dialog =
        new QFileDialog(&m_window, tr("Play a macro"), folder(), tr("Macros (*.macro.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setLabelText(QFileDialog::Accept, tr("Play"));
    connect(dialog, &QFileDialog::fileSelected, this, qOverload<const QString&>(&Macros::play));
    dialog->open();
}

void Macros::play(const QString& file)
{
    m_reading.start(
        [file](const CancelFlag&) { return readMacro(file); },
        [this](const Read& read) {
            if (read.fault.isEmpty())
                return play(read.macro);
            const QString what =
                tr("**The macro cannot be read.** %1. Mend the file, or record another.").arg(read.fault);
            Q_EMIT failed({ what, {} });
            Q_EMIT ended(what, false, true);
        });
}

void Macros::play(const Macro& macro)
{
    m_player.play(macro);
    showState();
}

void Macros::noteRefused(const QString& reason)
{
    m_player.noteRefused(reason);
}

void Macros::showState()
{
    const bool plays = m_player.isPlaying();
    const bool records = m_recorder.isRecording();
    m_record->setEnabled(!records && !plays);
    m_stop->setEnabled(records || m_unsaved);
    m_stop->setText(m_unsaved ? tr("&Save the recorded macro…") : tr("&Stop recording and save…"));
    m_play->setEnabled(!plays);
    m_cancel->setEnabled(plays);
    m_state->setVisible(plays || records || m_unsaved);
    if (plays) {
        m_state->setIcon(icon(QLatin1String("play"), &Tokens::running));
        m_state->setText(
            tr("Playing %1: stop").arg(m_player.title().replace(QLatin1Char('&'), QLatin1String("&&"))));
    } else if (records) {
        m_state->setIcon(icon(QLatin1String("record"), &Tokens::failed));
        m_state->setText(tr("Recording a macro, %1 steps: stop").arg(m_recorder.count()));
    } else if (m_unsaved) {
        m_state->setIcon(icon(QLatin1String("save"), &Tokens::warn));
        m_state->setText(tr("A macro of %1 steps is not saved: save").arg(m_unsaved->steps.size()));
    } else {
        m_state->setText(tr("No macro")); // hidden things have names, too
    }
}

} // namespace sg::ui
