#pragma once

#include "ui/bridge/clients.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/parts/window_part.h"
#include "ui/shell/subjects.h"
#include "ui/widgets/palette.h"

#include <QMainWindow>

#include <optional>

class QWidget;

namespace sg::ui {

class InterruptCard;
class Macros;

// Docks the panels, and puts together what a window is made of: clients, what is selected, the subjects.
// Panels do not know each other; nothing here waits.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    void openProject(const QString& path, const QString& database = {}); // see OpenProject::open()
    void openSample(const QString& example = {});
    void reopenLast(); // where the user wants that; else the start page stays
    static Theme themeFromName(const QString& name); // "light", "dark", else as the desktop
    static void setTheme(const QString& name); // of all windows, now and later

    // Used by macros and batch jobs.
    [[nodiscard]] Macros& macros() const { return *m_macros; }
    [[nodiscard]] Clients& clients() const { return *m_clients; }
    bool showPanel(const QString& title); // false: there is none
    // Writes the shown graph to a file, whose ending chooses the form; returns why it cannot. The client's
    // graphExported() follows.
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
    bool focusNextPrevChild(bool next) override; // not into panels behind others' tabs

private:
    void createCentre();
    void createPanels();
    void createCommands();

    const std::unique_ptr<Clients> m_clients;
    WindowParts m_parts; // that its subjects share
    std::optional<PanelSet> m_panels;
    InterruptCard* m_card; // a question over the canvas
    std::optional<Subjects> m_subjects;
    Macros* m_macros = nullptr;
    bool m_wasShown = false;
};

} // namespace sg::ui
