#pragma once

#include "ui/bridge/clients.h"
#include "ui/widgets/banner_stack.h"
#include "ui/widgets/palette.h"

#include <QMainWindow>

#include <functional>
#include <vector>

class QAction;
class QMenu;
class QStackedWidget;
class QTimer;

namespace sg::ui {

class ArtifactsPanel;
class WorldPart;
class GraphFiles;
class Saving;
class PastVerbs;
class Watches;
class ValuesPart;
class UsagePart;
class ThreadFiles;
class SessionTracks;
class SearchPart;
class ShownHistory;
class ThreadBook;
class ClientFeed;
class RawPart;
class RunBanners;
class LastProject;
class InboxPart;
class GraphVersions;
class ComparisonPart;
class Bookmarks;
class ArtifactsPart;
class CanvasPanel;
class CommandList;
class ComparePanel;
class DockLayout;
class InboxPanel;
class InterruptCard;
class LogPanel;
class Macros;
class NodePalette;
class Outline;
class ProblemsPanel;
class QuickPopup;
class ReplayPanel;
class RunBar;
class SearchPanel;
class Selection;
class SessionPanel;
class StartPage;
class StartPart;
class RuntimePart;
class StatePanel;
class StatusLine;
class StoragePanel;
class TerminalPanel;
struct QuickItem;
struct WindowParts;
class ThreadList;
class ThreadOverview;
class TimelinePanel;
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
    void openSample(const QString& example = QStringLiteral("penguins"));
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
    void connectTimeline();
    void connectState();
    void showMoment(bool isChosen); // of the selected checkpoint, in log, meters and artifacts
    [[nodiscard]] WindowParts parts();
    void createParts();
    void showBase(); // what the shown step is compared with
    void connectLog();
    void createPastMenu(QMenu& thread);
    void connectEditing();
    void connectProblems();
    void connectOutline();
    void createCommands();
    void showGuide();
    void createLayouts(QMenu& menu);
    void createAreas(QMenu& menu);
    void cycleFocus(int by); // tool bar, panels, canvas
    [[nodiscard]] std::vector<QuickItem> places() const; // that one can go to
    void goToPlace(const QString& place);
    void createEditMenu(QMenu& edit);
    void createViewMenu(QMenu& view);
    void createGraphMenu(QMenu& menu);

    void takeFile(const ProjectInfo& info); // it was changed on disk
    void saveAndRun(const QString& thread, const std::function<void()>& run);
    void showProblems();
    [[nodiscard]] QString whyNotRun(int errors) const; // empty: it can
    void walkProblems(int by);

    void showProject(const ProjectInfo& info);
    void showSandbox(const ProjectInfo& info);
    void showThreads();
    void showThread(const QString& thread);
    void followThread(); // another program has written to it
    void showCheckpoint(); // the selected one
    void showStatus(); // of the selected thread, in the run bar
    [[nodiscard]] bool isPaused(const StateView& state) const;
    void runEnded(const QString& thread, const QString& status, const UserError& error);
    void showError(const UserError& error);
    void tellFile(const ProjectInfo& info); // what keeps it from running
    void tellSandbox(const SandboxInfo& found); // what it lacks
    void runStarted(const QString& thread);
    void showLive(); // count and state of the thread that runs
    void setTheme(const QString& name);

    const std::unique_ptr<Clients> m_clients;
    Selection* m_selection; // thread, checkpoint, node: what all panels show
    ThreadBook* m_book;
    ShownHistory* m_history; // of the selected thread
    ClientFeed* m_feed; // of both
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
    ArtifactsPanel* m_artifacts;
    StoragePanel* m_storage;
    TerminalPanel* m_terminal;
    ReplayPanel* m_replay;
    InboxPanel* m_inbox;
    SearchPanel* m_search;
    UsagePanel* m_usage;
    ComparePanel* m_comparison;
    ThreadOverview* m_overview;
    NodePalette* m_palette;
    Outline* m_outline;
    ProblemsPanel* m_problems;
    StatusLine* m_status;
    DockLayout* m_docks;
    // One subject each: its client, its panels, and what is selected.
    ThreadFiles* m_threadFiles = nullptr;
    SessionTracks* m_tracks = nullptr;
    SearchPart* m_searchPart = nullptr;
    UsagePart* m_usagePart = nullptr;
    RawPart* m_rawPart = nullptr;
    RunBanners* m_runBanners = nullptr;
    Saving* m_saving = nullptr;
    GraphFiles* m_graphFiles = nullptr;
    PastVerbs* m_past = nullptr;
    Bookmarks* m_bookmarks = nullptr;
    Watches* m_watches = nullptr;
    ValuesPart* m_valuesPart = nullptr;
    InboxPart* m_inboxPart = nullptr;
    ArtifactsPart* m_artifactsPart = nullptr;
    WorldPart* m_world = nullptr;
    ComparisonPart* m_comparisonPart = nullptr;
    GraphVersions* m_versions = nullptr;
    LastProject* m_last = nullptr;
    StartPart* m_startPart = nullptr;
    RuntimePart* m_runtime = nullptr;
    CommandList* m_commands = nullptr;
    QuickPopup* m_quick = nullptr;
    Macros* m_macros = nullptr;
    bool m_wasShown = false;

    ProjectInfo m_info;
    QTimer* m_liveSoon = nullptr; // until what a run makes is told
    std::vector<SessionRow> m_sessions;
    QString m_interruptId; // of the question over the canvas
    QStringList
        m_pausedBefore; // the shown thread's head stands before these and asks nobody; none: it is not so
};

} // namespace sg::ui
