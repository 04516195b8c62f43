#pragma once

#include "ui/bridge/clients.h"
#include "ui/widgets/banner_stack.h"
#include "ui/widgets/palette.h"

#include <QMainWindow>
#include <QSet>

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

class QAction;
class QMenu;
class QStackedWidget;
class QTimer;

namespace sg::ui {

class AnswerQueue;
class ArtifactsPanel;
class CanvasPanel;
class CommandList;
class ComparePanel;
class DesktopNotice;
class DockLayout;
class InboxPanel;
class InterruptCard;
class LogPanel;
class Macros;
class NodePalette;
class Outline;
class PendingField;
class ProblemsPanel;
class QuickPopup;
class ReplayPanel;
struct ReplayPlan;
class RunBar;
class RawView;
class SearchPanel;
class Selection;
class SessionPanel;
class StartPage;
class StatePanel;
class StatusLine;
class StoragePanel;
class TerminalPanel;
struct QuickItem;
struct RecentProject;
class ThreadList;
class ThreadOverview;
class TimelinePanel;
class UnsavedEdits;
class UsagePanel;
class FilesPanel;
class VariablesPanel;

// Docks the panels, connects them to the clients and to one another by what is shown: thread, checkpoint.
// Panels do not know each other; nothing here waits.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    void openProject(const QString& path);
    void openSample();
    void reopenLast(); // where the user wants that; else the start page stays
    static Theme themeFromName(const QString& name); // "light", "dark", else as the desktop

    // For what drives the window instead of a person.
    [[nodiscard]] Macros& macros() const { return *m_macros; }
    [[nodiscard]] Clients& clients() const { return *m_clients; }
    bool showPanel(const QString& title); // false: there is none
    // The shown graph into a file, by its ending; graphExported() of its client follows. Why not, else.
    QString exportGraph(const QString& file);
    [[nodiscard]] QString whyNotExport() const; // the first error of the graph itself; empty: there is none

Q_SIGNALS:
    void ready(); // start page or project is shown and takes input
    void notOpened(const sg::ui::UserError& error);

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override; // opens what it is, or imports a thread
    void dropEvent(QDropEvent* event) override;

private:
    void createToolBar();
    void createMenus();
    void connectProject();
    void connectRuns();
    void connectPanels();
    void connectArtifacts();
    void connectSessions();
    void connectFiles();
    void followFiles(); // whether the files are those of a session that runs
    void connectStorage();
    void connectTimeline();
    void showHistory(const HistoryRows& rows); // the newest, where the timeline has them
    void connectState();
    void createBundleMenu(QMenu& thread);
    void exportThread(); // asks where to
    void showThreadExported(const ThreadBundle& bundle, const UserError& error);
    void importThread();
    void importThread(const QString& file); // asks for the thread's name here
    void showThreadImported(const ThreadBundle& bundle, const UserError& error);
    void selectImported(const std::vector<ThreadRow>& rows); // once it is listed
    void showArtifacts(const std::vector<ArtifactRow>& rows);
    void showOriginWanted(); // where the artifact was made that was asked for
    void loadArtifacts(); // as the panel wants them: of the thread, or of all
    void showMoment(bool isChosen); // of the selected checkpoint, in log, meters and artifacts
    void goTo(const QString& checkpoint); // empty: nowhere
    [[nodiscard]] QSet<QString> madeBefore(const QString& checkpoint) const;
    void connectWorld();
    void createReplay();
    void createPast();
    void createCompare();
    void offerComparisons(); // what can be compared now
    void compareBranches();
    void createPastMenu(QMenu& thread);
    void connectNotes();
    void connectValues();
    void connectInbox();
    void connectRunNotices();
    void connectFailures();
    void connectSearch();
    void connectUsage();
    void connectRaw();
    void askUsage(); // soon
    void showUsage(const UsageRows& usage);
    void showUsageLine();
    [[nodiscard]] QString rawCheckpoint() const; // whose bytes are meant; empty: there is none
    void showRawVerb();
    void connectOverview();
    void showMomentWanted();
    void fillBookmarks(QMenu& menu);
    void fillWatches(QMenu& menu);
    void addWatch();
    void editBookmark(); // of the checkpoint that is looked at
    void viewCheckpoint(const QString& checkpoint);
    void compareWith(bool current); // the step that is looked at now; else each with its parent
    void showWaiting(const std::vector<WaitingRow>& found);
    void notifyOf(const WaitingRow& row);
    void takeSamples(const QString& session, const std::vector<SampleRow>& samples);
    void askPast(const QString& thread);
    void takePast(const SessionPast& past);
    void connectTracks();
    [[nodiscard]] const SessionRow* viewedSession() const;
    void showSamples(bool always); // else only of another session
    void showTracks(const QString& thread); // what stands on the timeline's axis besides checkpoints
    void createEditing();
    void connectEdits();
    void connectProblems();
    void connectOutline();
    void connectCode();
    void createCommands();
    void createReopening(QMenu& file);
    void keepCursor();
    static void keepLast(const QString& path);
    static void forgetOpening();
    static QString pathOf(const ProjectInfo& info); // that opens it again
    void showReopening(const QString& path);
    void doNotReopen();
    void showNotOpened(const UserError& error);
    void showCursorWanted();
    void showGuide();
    void createLayouts(QMenu& menu);
    void createAreas(QMenu& menu);
    void cycleFocus(int by); // tool bar, panels, canvas
    [[nodiscard]] std::vector<QuickItem> places() const; // that one can go to
    void goToPlace(const QString& place);
    void createEditMenu(QMenu& edit);
    void createViewMenu(QMenu& view);
    void createGraphMenu(QMenu& menu);
    void createExchangeMenu(QMenu& file);
    void createVersions(QMenu& menu);
    void takeVersion(const GraphVersion& version);
    void showCompare(const graph::Graph& older, const QString& label);
    void restoreAsNew(const graph::Graph& graph);
    void askExport(GraphFormat format, QLatin1String ending); // where to
    void showExported(const QString& target, const QString& notes, const UserError& error);
    void importGraph();
    void showImported();

    void takeFile(const ProjectInfo& info); // it was changed on disk
    void showModified();
    [[nodiscard]] bool isModified() const; // the graph, code, or a text of a session
    bool takeField(const QString& without, const std::function<void()>& next);
    bool holdsBack(const QString& without, const std::function<void()>& next);
    void showNotSaved(const UserError& error);
    void saveAndRun(const QString& thread, const std::function<void()>& run);
    void saveThen(const std::function<void()>& next); // `next` only where graph and code are saved
    void saveTextThen(const std::function<void()>& next);
    void showConflict();
    void takeTheFiles(); // its text, in place of the edits
    void offerRecovery();
    void showProblems();
    [[nodiscard]] QString whyNotRun(int errors) const; // empty: it can
    void walkProblems(int by);
    [[nodiscard]] bool mayLose() const; // nothing is unsaved, or the user does not want it
    void askToSave(const std::function<void()>& next); // not where the user cancels

    void showProject(const ProjectInfo& info);
    void showSandbox(const ProjectInfo& info);
    void fillProjectMenu(QMenu& menu);
    static QList<RecentProject> recentProjects(); // those that are still there
    void showThreads(const std::vector<ThreadRow>& rows);
    void showThread(const QString& thread);
    void followThread(); // another program has written to it
    void showCheckpoint(); // the selected one
    void showWorld(); // its session, where a panel of it is seen
    void previewReplay(bool fork); // of the selected checkpoint
    void offerCopy(); // of a database that is only read, as a project
    void createNodeVerbs();
    void showNodeVerbs(const QString& refusal); // why nothing runs at all; empty: it may
    void rerunNode();
    void showPlanned(const ReplayPlan& plan); // on the canvas
    void runToNode();
    [[nodiscard]] TaskRow failedTask() const; // none: no id
    void goToFailure();
    void showTimelineMenu(const QString& node, const QPoint& at);
    void showVerbs(); // what can be done from it
    void branchMade(const QString& thread);
    void showStatus(); // of the selected thread, in the run bar
    [[nodiscard]] bool isRunning(const QString& thread) const;
    void checkpointsAdded(const QString& thread, const std::vector<CheckpointRow>& added);
    void taskChanged(const QString& thread, const std::vector<TaskRow>& changed);
    void runEnded(const QString& thread, const QString& status, const UserError& error);
    void showError(const UserError& error);
    void tellError(BannerStack::Owner owner, const UserError& error, std::vector<BannerAction> actions);
    void tellFile(const ProjectInfo& info); // what keeps it from running
    void tellSandbox(const ProjectInfo& info); // what it lacks
    void chooseProject();
    void newProject();
    void runStarted(const QString& thread);
    void showLive(); // count and state of the thread that runs
    void remember(const ProjectInfo& info);
    void setTheme(const QString& name);

    const std::unique_ptr<Clients> m_clients;
    Selection* m_selection; // thread, checkpoint, node: what all panels show
    RunBar* m_runBar;
    BannerStack* m_banners; // what the window says about itself
    QStackedWidget* m_pages;
    StartPage* m_start;
    CanvasPanel* m_graph;
    InterruptCard* m_interrupt;
    ThreadList* m_threads;
    TimelinePanel* m_timeline;
    StatePanel* m_state;
    LogPanel* m_log;
    SessionPanel* m_session;
    VariablesPanel* m_variables;
    FilesPanel* m_files;
    std::optional<QString> m_worldSession; // that the user chose for both, of several
    QString m_shownSession; // by both
    ArtifactsPanel* m_artifacts;
    StoragePanel* m_storage;
    TerminalPanel* m_terminal;
    ReplayPanel* m_replay;
    InboxPanel* m_inbox;
    AnswerQueue* m_answers = nullptr;
    SearchPanel* m_search;
    UsagePanel* m_usage;
    RawView* m_raw = nullptr;
    QTimer* m_usageSoon = nullptr;
    UsageRows m_usageShown;
    std::optional<QString> m_usageAsked; // the checkpoint whose usage is being asked for
    std::vector<SearchHit> m_found; // by the search
    QAction* m_find = nullptr;
    QAction* m_showUsage = nullptr;
    QAction* m_showRaw = nullptr;
    ComparePanel* m_comparison;
    ThreadOverview* m_overview;
    NodePalette* m_palette;
    Outline* m_outline;
    QString m_compareThread; // whose graph is to be compared
    QAction* m_replayAction = nullptr;
    QAction* m_forkAction = nullptr;
    QAction* m_rerunNode = nullptr;
    QAction* m_runToNode = nullptr;
    QAction* m_goToFailure = nullptr;
    QAction* m_bookmark = nullptr;
    QAction* m_compare = nullptr;
    QAction* m_compareBranches = nullptr;
    QAction* m_nextQuestion = nullptr;
    QAction* m_watch = nullptr;
    DesktopNotice* m_notice = nullptr;
    ProblemsPanel* m_problems;
    StatusLine* m_status;
    DockLayout* m_docks;
    CommandList* m_commands = nullptr;
    QuickPopup* m_quick = nullptr;
    UnsavedEdits* m_edits = nullptr;
    QAction* m_save = nullptr;
    PendingField* m_field = nullptr;
    Macros* m_macros = nullptr;
    std::vector<std::function<void()>> m_afterSave; // what waits for a save
    std::vector<std::function<void()>> m_afterText; // the same, of a session's text
    QTimer* m_cursorSoon = nullptr; // until thread and checkpoint are kept
    std::optional<std::pair<QString, QString>> m_cursorWanted; // thread and checkpoint of the last time
    bool m_isReopening = false;
    QString m_imported; // a thread that is to be shown
    QString m_importNotes; // of the graph that is being opened
    bool m_savingCode = false; // the graph is next
    bool m_discarding = false;
    bool m_wasShown = false;

    ProjectInfo m_info;
    QString m_failedThread; // whose failure is told
    int m_checkpointCount = 0; // of the selected thread
    QTimer* m_liveSoon = nullptr; // until what a run makes is told
    std::vector<SessionRow> m_sessions;
    std::vector<ArtifactRow> m_artifactRows; // of the selected thread
    std::map<QString, std::vector<SampleRow>> m_samples; // by session, since the project was opened
    QSet<QString> m_pastAsked; // sessions
    QString m_drawnSession; // on the timeline
    NoteRows m_notes;
    QString m_base; // checkpoint that others are compared with; empty: each with its parent
    QString m_interruptId; // of the question over the canvas
    bool m_isAsked = false; // the shown thread's head waits with a question, not at a breakpoint
    std::optional<std::pair<QString, double>> m_momentWanted; // thread and time that were chosen elsewhere
    std::optional<std::pair<QString, QString>> m_originWanted; // thread and checkpoint, of an artifact
    bool m_wantsOrigin = false; // a value's origin is asked for, not its history
};

} // namespace sg::ui
