#pragma once

#include "ui/selection/history_model.h"
#include "ui/selection/seen_rows.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <limits>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace sg::ui {

class Selection;

// A change of the shown history.
struct HistoryChange {
    enum class Kind {
        Cleared, // another thread was selected: nothing is known of it yet
        Read, // the newest checkpoints were read: known marks keep their numbers
        ReadAnew, // the same, but all marks are others
        Completed, // all of a long history is here: marks have other numbers, what they mean is the same
        Added, // live
        Tasks, // live
    };
    Kind kind = Kind::Cleared;
    int firstMark = 0; // nothing before this one changed

    [[nodiscard]] bool isLive() const { return kind == Kind::Added || kind == Kind::Tasks; }
    [[nodiscard]] bool isRead() const { return kind != Kind::Cleared && !isLive(); }
};

// The history of the selected thread, and the viewed checkpoint of it. It hears of another selection before
// all who connect later, so that it has taken the selection before they ask it. Questions about checkpoints
// that are not known answer with an empty text, kUnknown or 0.
class ShownHistory : public QObject {
    Q_OBJECT
public:
    explicit ShownHistory(Selection& selection, QObject* parent = nullptr);

    // Rows of other threads are passed over.
    void take(const HistoryRows& rows); // the newest of them; more of a long history comes in pages
    void expectWhole(qint64 total); // all of them, oldest first; shown once they are complete
    void takePage(const HistoryRows& page, bool isLast);
    void add(const QString& thread, const std::vector<CheckpointRow>& added); // live
    void changeTasks(const QString& thread, const std::vector<TaskRow>& changed);

    // Goes to a checkpoint. The head is followed, as the run goes on; empty: nowhere.
    void goTo(const QString& checkpoint);
    // Goes to the newest checkpoint made by that time. If it is not read yet, goes there later, unless the
    // user goes elsewhere first.
    void goToTime(const QString& thread, double timeMs);
    // Goes to a moment of that branch, also between two checkpoints. A later moment than its end means the
    // end; without a branch the newest by then counts.
    void goToMoment(double timeMs, int lane = HistoryModel::kNone);
    // Goes in the same way to the newest checkpoint that a superstep made from that one, else to itself.
    void goToMadeFrom(const QString& thread, const QString& checkpoint);

    [[nodiscard]] const HistoryModel& model() const { return m_model; }
    [[nodiscard]] int count() const { return static_cast<int>(m_model.marks().size()); }
    [[nodiscard]] qint64 total() const; // with those that are not read yet
    [[nodiscard]] bool isWhole() const { return m_isWhole; } // none is missing
    [[nodiscard]] bool needsWhole() const; // there are more, and nobody reads them yet
    // The rows that panels iterate over: all that was read at once, or the part of a long history around the
    // viewed checkpoint.
    [[nodiscard]] const HistoryRows& rows() const { return m_seen.rows(); }
    [[nodiscard]] HistoryRows around(const QString& checkpoint) const; // see historyAround()

    [[nodiscard]] int currentMark() const; // kNone: there is no checkpoint
    [[nodiscard]] QString current() const;
    [[nodiscard]] bool isAtHead() const; // the newest is looked at, whichever that is
    // The selected checkpoint is being read; meanwhile the head is looked at.
    [[nodiscard]] bool isAwaiting() const;
    [[nodiscard]] QString head() const;
    [[nodiscard]] double moment() const; // that is looked at; kUnknown: the present
    [[nodiscard]] bool
    isMomentBetween() const; // behind the checkpoint that is looked at, while its tasks ran
    [[nodiscard]] double
    secondsInto() const; // the tasks that run then; kUnknown: no moment between checkpoints

    [[nodiscard]] CheckpointRow row(const QString& checkpoint) const;
    [[nodiscard]] QString label(const QString& checkpoint) const; // "after load → next analyze, step 2"
    [[nodiscard]] QString at(double timeMs) const; // the newest made by then, else the first
    [[nodiscard]] QString after(const QString& start) const; // the newest made from it; itself: nothing was
    [[nodiscard]] QString afterTask(const QString& task) const;
    [[nodiscard]] double firstTime() const; // of those that are known
    [[nodiscard]] double timeOf(const QString& checkpoint) const;
    [[nodiscard]] int stepOf(const QString& checkpoint) const;
    [[nodiscard]] int depthOf(const QString& checkpoint) const; // checkpoints on its way, with itself
    [[nodiscard]] QSet<QString> passedBefore(const QString& checkpoint, const QSet<QString>& asked) const;
    // The checkpoints from it back to the first, at most `most`.
    [[nodiscard]] QStringList wayTo(const QString& checkpoint,
                                    int most = std::numeric_limits<int>::max()) const;
    // The newest checkpoint with that step number on the way to it; empty: none.
    [[nodiscard]] QString atStep(const QString& checkpoint, int step) const;

    struct Branch {
        QString name; // "main", "branch 2"
        QString end; // its newest checkpoint
    };
    [[nodiscard]] std::vector<Branch> branches() const;
    [[nodiscard]] int currentBranch() const; // −1: there is no checkpoint

Q_SIGNALS:
    void aboutToChange(); // all stands as before
    void changed(const sg::ui::HistoryChange& change); // rows came or went, or are others
    void wentOn(); // a run has added checkpoints: a fast one makes more than anybody reads, so not for each
    void currentChanged(); // another checkpoint is looked at
    void momentChanged(); // another moment, after that: its own too

private:
    struct Wanted {
        QString thread;
        std::variant<double, QString> place; // a time, or what something was made from
    };
    void clear();
    void tellMoment();
    void takeCheckpoint();
    void takeWhole();
    void tell(HistoryChange change, bool wasAwaiting);
    void goToWanted();

    Selection& m_selection;
    HistoryModel m_model;
    SeenRows m_seen;
    qint64 m_total = 0; // that the thread had when it was read
    bool m_isRead = false; // at least its newest part
    bool m_isWhole = true;
    std::unique_ptr<HistoryModel> m_whole; // that is being read
    HistoryRows m_meanwhile; // came while it is
    std::optional<Wanted> m_wanted;
    double m_told = kUnknown; // the last moment
    QTimer m_wentOnSoon;
};

} // namespace sg::ui
