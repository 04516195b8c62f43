#pragma once

#include "ui/selection/history_model.h"

#include <QHash>
#include <QSet>
#include <QString>

#include <map>
#include <tuple>
#include <vector>

namespace sg::ui {

// The runs inside of tasks: each run of a subgraph has a namespace of its own, "plan:TASK", and one within it
// "plan:TASK|draft:TASK"; a subgraph with a memory of its own has the same namespace, "plan", at each task of
// its node. This class knows which namespaces there are, holds the runs that were loaded, and knows which
// lanes show them.
class NestedRuns {
public:
    struct Run {
        QString ns;
        QString node; // that holds it
        QString task; // of that node
        int depth = 0; // 0: a task of the thread's own graph
        std::vector<CheckpointRow> checkpoints{}; // oldest first
        std::vector<TaskRow> tasks{};
        // Returns what was made between those times: one task's part of a namespace that several tasks share.
        [[nodiscard]] Run between(double fromMs, double toMs) const;
    };
    static constexpr int kMostRows = 4; // below a lane

    void clear();
    void setNamespaces(const QStringList& namespaces);
    void addNamespaces(const QStringList& namespaces); // known ones are left out
    void setRuns(const std::vector<HistoryRows>& runs);
    // Names for tasks, by their ids: "model, turn 2" or a tool's name. They are kept until clear().
    void addNames(const QHash<QString, QString>& names) { m_names.insert(names); }
    [[nodiscard]] QString nameOf(const TaskRow& task) const { return m_names.value(task.task, task.node); }
    [[nodiscard]] bool isEmpty() const { return m_inside.isEmpty() && m_ofNode.isEmpty(); }

    // Namespaces of the runs inside of a task of the thread's own graph, the outer before the inner.
    [[nodiscard]] QStringList inside(const TaskRow& task) const;
    [[nodiscard]] const Run* run(const QString& ns) const; // null: not loaded
    // Several tasks may share a namespace: this returns what was made in it between two times, and caches it.
    // Null: that namespace is not loaded.
    [[nodiscard]] const Run* part(const QString& ns, double fromMs, double toMs) const;
    [[nodiscard]] bool isLoaded(const QString& ns) const { return m_runs.contains(ns); }

    [[nodiscard]] bool isUnfolded(int lane) const { return m_unfolded.contains(lane); }
    void unfold(int lane, bool unfolded);
    [[nodiscard]] bool anyUnfolded() const { return !m_unfolded.isEmpty(); }
    // Returns for each lane how many rows its nested runs need; 0: none ran. It looks only at what came since
    // the last call.
    std::vector<int> rowsByLane(const HistoryModel& model);
    void forgetPlaces(); // the marks are others now

private:
    void add(const QString& ns);

    QHash<QString, QStringList> m_inside; // by task
    QHash<QString, QStringList> m_ofNode; // by node: of all its tasks
    QHash<QString, Run> m_runs; // by namespace
    mutable std::map<std::tuple<QString, double, double>, Run> m_parts; // see part()
    QHash<QString, QString> m_names; // by task
    QSet<int> m_unfolded;
    QSet<QString> m_unplaced; // outermost tasks whose rows are not counted
    QHash<int, int> m_bySuperstep; // rows, by mark
    std::vector<int> m_own; // rows by lane, of its tasks
    std::vector<int> m_shared; // the same, of namespaces that tasks share
    std::vector<int> m_seen; // by lane: marks that were looked at for those
};

// The part behind the last separator: "plan:TASK|draft:TASK2" → draft, TASK2.
struct NamespaceEnd {
    QString node;
    QString task;
    int depth = 0;
};
NamespaceEnd endOf(const QString& ns);
bool isShared(const QString& ns); // by all tasks of its node

} // namespace sg::ui
