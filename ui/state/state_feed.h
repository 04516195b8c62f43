#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/selection/panel_parts.h"

#include <QObject>

class QAction;

namespace sg::ui {

class RawView;
class StatePanel;

// Reads the values of the selected checkpoint for their panel: where they came from, what they are compared
// with, and their bytes.
class StateFeed : public QObject {
    Q_OBJECT
public:
    StateFeed(const PanelParts& parts, StatePanel& panel); // which owns it

    [[nodiscard]] QAction* pinAction() const { return m_pin; } // compares other steps with this one
    [[nodiscard]] QAction* rawAction() const { return m_raw; } // shows the bytes of the checkpoint

private:
    void followSelection();
    void followHistory();
    void followRuns();
    void show(const StateView& state);
    void showRewind(); // what going back to the checkpoint brings of the sandbox
    void traceOrigins();
    void takeTrace(const ValueTraceRows& trace);
    void compareWith(bool current); // the step that is looked at now; else each with its parent
    void showBase();
    void load();
    void offerBytes();
    void showBytes(const QString& pointer);
    void updateRaw(); // whether there is something to show
    [[nodiscard]] QString rawCheckpoint() const; // whose bytes are meant; empty: there is none

    const PanelParts m_parts;
    StatePanel& m_panel;
    QAction* m_pin;
    QAction* m_raw;
    RawView* m_bytes = nullptr; // a window of its own, made when it is wanted
    bool m_wantsOrigin = false; // a value's origin is asked for, not its history
};

} // namespace sg::ui
