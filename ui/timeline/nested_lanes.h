#pragma once

#include "ui/timeline/nested_runs.h"
#include "ui/timeline/timeline_geometry.h"

#include <QObject>
#include <QRectF>
#include <QSet>
#include <QTimer>

namespace sg::ui {

// The lanes that show below them what ran inside of their tasks: how much room they take, and which runs are
// asked for because they are looked at.
class NestedLanes : public QObject {
    Q_OBJECT
public:
    NestedLanes(const HistoryModel& model, QObject* parent);

    // Sets which namespaces there are; the runs themselves come when they are seen.
    void setNamespaces(const QStringList& namespaces);
    void addNamespaces(const QStringList& namespaces); // live; known ones have grown
    void setRuns(const std::vector<HistoryRows>& runs);
    void addNames(const QHash<QString, QString>& names); // of tasks inside, by their ids
    void clear(); // another thread's
    void forgetPlaces() { m_runs.forgetPlaces(); } // marks have other numbers now

    [[nodiscard]] const NestedRuns& runs() const { return m_runs; }
    [[nodiscard]] const std::vector<int>& rows() const { return m_rows; } // by lane
    [[nodiscard]] bool isEmpty() const { return m_runs.isEmpty(); } // nothing ran inside of nodes
    [[nodiscard]] bool has(int lane) const;
    [[nodiscard]] bool isUnfolded(int lane) const { return m_runs.isUnfolded(lane); }
    void toggle(int lane);
    void place(TimelineGeometry& geometry); // makes room below lanes that are unfolded
    // Asks for the runs that stand in that part of the content and are not here yet.
    void askFor(const TimelineGeometry& geometry, const QRectF& seen);
    [[nodiscard]] QString tipAt(const TimelineGeometry& geometry, const QPointF& point, int lane) const;

Q_SIGNALS:
    void wanted(const QStringList& namespaces); // see setRuns()
    void rowsChanged(); // lanes need other room
    void changed(); // after it: there is more to see
    void runsChanged(); // what is seen of them

private:
    void askGrown();

    const HistoryModel& m_model;
    NestedRuns m_runs;
    std::vector<int> m_rows;
    QSet<QString> m_asked; // namespaces
    QSet<QString> m_grown; // the same, since they were asked for
    QTimer m_soon; // until what ran on is asked for
};

} // namespace sg::ui
