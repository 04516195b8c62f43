#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/selection/id_store.h"
#include "ui/widgets/state_look.h"

#include <QHash>

#include <cstddef>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace sg::ui {

// A thread's checkpoints as branches. A checkpoint goes on in its parent's lane unless another one already
// did: then it opens a lane of its own, as a fork. Along a lane columns grow by one, so that a column finds
// its mark at once. Rows are kept packed: a million checkpoints with a task each take about 150 MB.
class HistoryModel {
public:
    static constexpr int kNone = -1;

    struct Mark {
        double timeMs = kUnknown;
        int parent = kNone; // mark
        int lane = 0;
        int column = 0;
        int step = 0;
        Rewind rewind = Rewind::None;

    private:
        friend class HistoryModel;
        int m_words = 0; // in m_words
        SandboxMark m_sandbox = SandboxMark::Unused;
        int m_note = 0; // in m_texts
        int m_firstTask = kNone; // in m_tasks
        int m_lastTask = kNone;
    };
    struct Lane {
        int forkedFrom = kNone; // mark of another lane
        int firstColumn = 0;
        std::vector<int> marks; // one a column
    };
    struct LaneState {
        StateKind kind = StateKind::Idle;
        QString words; // "Failed at step 11"
    };
    // A task as far as drawing needs it without its words.
    struct TaskSpan {
        StateKind kind = StateKind::Idle;
        double startedMs = kUnknown;
        double seconds = kUnknown;
    };

    void clear(const QString& thread = {});
    void reset(const HistoryRows& rows);
    void reserve(qint64 checkpoints);
    void add(const std::vector<CheckpointRow>& rows); // known ones are renewed
    void changeTasks(const std::vector<TaskRow>& rows);

    [[nodiscard]] const QString& thread() const { return m_thread; }
    [[nodiscard]] bool isEmpty() const { return m_marks.empty(); }
    [[nodiscard]] const std::vector<Mark>& marks() const { return m_marks; } // oldest first
    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }
    [[nodiscard]] int columnCount() const { return static_cast<int>(m_columnSteps.size()); }
    [[nodiscard]] int columnStep(int column) const { return m_columnSteps[static_cast<std::size_t>(column)]; }

    [[nodiscard]] const Mark& mark(int index) const { return m_marks[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const Lane& lane(int index) const { return m_lanes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] QString id(int mark) const { return m_ids.at(mark); }
    [[nodiscard]] CheckpointRow row(int mark) const;
    [[nodiscard]] int find(const QString& checkpoint) const
    {
        return m_ids.find(checkpoint);
    } // kNone: unknown
    [[nodiscard]] int head() const { return static_cast<int>(m_marks.size()) - 1; } // kNone: no checkpoint
    [[nodiscard]] int markAt(int lane, int column) const; // kNone: nothing there
    [[nodiscard]] int lastOf(int lane) const;
    [[nodiscard]] int forkedStep(int lane) const; // that a person chose to fork; of a lane that is a fork

    // Tasks of the superstep that starts at that checkpoint, in their order of start, at most so many.
    [[nodiscard]] std::vector<TaskRow>
    tasksOf(int mark, std::size_t most = std::numeric_limits<std::size_t>::max()) const;
    [[nodiscard]] std::size_t taskCount(int mark) const;
    [[nodiscard]] bool hasTasks(int mark) const { return this->mark(mark).m_firstTask != kNone; }
    template<typename Take> // Take(const TaskSpan&)
    void eachTask(int mark, Take take) const
    {
        for (int task = this->mark(mark).m_firstTask; task != kNone; task = packed(task).next)
            take(TaskSpan{ packed(task).kind, packed(task).startedMs, packed(task).seconds });
    }
    [[nodiscard]] int startOfTask(const QString& task) const; // mark; kNone: unknown
    [[nodiscard]] bool hasRewind() const { return m_hasRewind; } // something of a sandbox was kept
    [[nodiscard]] bool isRunning() const { return m_running > 0; }
    [[nodiscard]] LaneState laneState(int lane) const;

    // Checkpoints from which a task failed or asked: lane and mark, in each lane the oldest first.
    using LaneMark = std::pair<int, int>;
    [[nodiscard]] const std::set<LaneMark>& troubles() const { return m_troubles; }
    [[nodiscard]] bool hasTroubles(int lane, int firstMark, int lastMark) const;

    // Returns, for each lane, the last column that lies on the way from the root to this mark; kNone: none
    // does.
    [[nodiscard]] std::vector<int> pathTo(int mark) const;
    [[nodiscard]] const QStringList& after(int mark) const; // nodes whose writes made it
    [[nodiscard]] const Word<checkpoint::Source>& source(int mark) const;
    [[nodiscard]] bool isOnPath(int mark, const std::vector<int>& path) const;

private:
    struct Words {
        Word<checkpoint::Source> source;
        QStringList after;
        QStringList next;
    };
    struct Task {
        double startedMs = kUnknown;
        double seconds = kUnknown;
        double triedMs = kUnknown;
        int mark = kNone;
        int next = kNone; // of the same superstep
        int node = 0; // in m_texts
        TaskOutcome outcome = TaskOutcome::Unknown;
        int error = 0;
        int detail = 0;
        int step = 0;
        std::uint16_t attempts = 1;
        bool wasAsked = false;
        StateKind kind = StateKind::Idle;
    };
    void insert(const CheckpointRow& row);
    void setRow(Mark& mark, const CheckpointRow& row);
    int wordsOf(const CheckpointRow& row);
    void changeTask(const TaskRow& row);
    void changeTaskOf(int mark, const TaskRow& row);
    void noteTrouble(int mark);
    [[nodiscard]] int copiedBy(const Mark& copy) const;
    [[nodiscard]] const Task& packed(int task) const { return m_tasks[static_cast<std::size_t>(task)]; }
    [[nodiscard]] TaskRow taskRow(int task) const;

    QString m_thread;
    std::vector<Mark> m_marks;
    IdStore m_ids; // of marks
    std::vector<Lane> m_lanes;
    std::vector<int> m_columnSteps;
    std::vector<Task> m_tasks;
    IdStore m_taskIds;
    std::vector<Words> m_words;
    QHash<QString, int> m_knownWords;
    WordStore m_texts;
    QHash<QString, std::vector<TaskRow>> m_early; // by checkpoint, which has not come yet
    std::set<LaneMark> m_troubles;
    int m_running = 0;
    bool m_hasRewind = false;
};

} // namespace sg::ui
