#pragma once

#include "ui/replay/replay_panel.h"

#include <QObject>

class QComboBox;
class QLabel;
class QPushButton;

namespace sg::ui {

class ElidedLabel;
class PatchTable;
class PlannedTasks;
class ReplaySection;
class RewindSign;
class Strip;

struct ReplayPanel::Impl : QObject {
    explicit Impl(ReplayPanel* panel);
    void createTitle();
    void createSections();
    void createSandbox();
    void createButtons();
    void begin(); // without staged changes
    void fillSandbox(); // with the choices that are possible
    void show(const ReplayPlan& shown, const ReplayAim& aim);
    void fillUntil(const QStringList& nodes, const ReplayAim& aim);
    void showPlanned(); // up to the chosen end
    [[nodiscard]] ReplayAim aim() const;
    void patchChanged();
    [[nodiscard]] QString verbWord() const; // for Replay and Rerun
    [[nodiscard]] int changes() const; // number of staged changes
    void go(bool run);
    void close();

    ReplayPanel* panel;
    ReplayGraph graph;
    ReplayPlan plan;
    Verb verb = Verb::Replay;
    QString again; // the node of Verb::Rerun
    bool hasState = false; // the patch holds the checkpoint's values
    bool isForking = false; // waits for the answer
    bool isViewed = true; // the other panels show the previewed checkpoint
    QString refusal; // why the last fork was refused
    QString place; // "after load → analyze"

    Strip* titleRow;
    QLabel* sign;
    QLabel* title;
    ElidedLabel* where;
    QLabel* promise;
    StagedPatch* patch;
    ReplaySection* patchSection;
    PatchTable* table;
    QLabel* hint; // shown until a change is staged
    QPushButton* revert;
    ReplaySection* taskSection;
    PlannedTasks* tasks;
    ReplaySection* factSection;
    QLabel* facts;
    ReplaySection* sandboxSection;
    RewindSign* sandboxSign;
    QLabel* fate; // what is restored, and what is not
    QComboBox* sandbox;
    Strip* buttonRow;
    QLabel* writerTitle;
    QComboBox* writer;
    QComboBox* until;
    QLabel* problem;
    QPushButton* later;
    QPushButton* now;
};

} // namespace sg::ui
