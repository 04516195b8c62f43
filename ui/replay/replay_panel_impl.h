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
    void begin(); // with nothing staged
    void fillSandbox(); // what can be done with it
    void show(const ReplayPlan& shown, const ReplayAim& aim);
    void fillUntil(const QStringList& nodes, const ReplayAim& aim);
    void showPlanned(); // as far as it is to run
    [[nodiscard]] ReplayAim aim() const;
    void patchChanged();
    [[nodiscard]] QString verbWord() const; // of replaying and running again
    [[nodiscard]] int changes() const; // that are staged
    void go(bool run);
    void close();

    ReplayPanel* panel;
    ReplayGraph graph;
    ReplayPlan plan;
    Verb verb = Verb::Replay;
    QString again; // the node of Rerun
    bool hasState = false; // the patch holds the checkpoint's values
    bool isForking = false; // the answer is to come
    bool isViewed = true; // what everything else shows is the previewed checkpoint
    QString refusal; // of the last fork
    QString place; // "after load → analyze"

    Strip* titleRow;
    QLabel* sign;
    QLabel* title;
    ElidedLabel* where;
    QLabel* promise;
    StagedPatch* patch;
    ReplaySection* patchSection;
    PatchTable* table;
    QLabel* hint; // until something is staged
    QPushButton* revert;
    ReplaySection* taskSection;
    PlannedTasks* tasks;
    ReplaySection* factSection;
    QLabel* facts;
    ReplaySection* sandboxSection;
    RewindSign* sandboxSign;
    QLabel* fate; // what is brought back, and what is not
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
