#pragma once

#include "core/base/value.h"
#include "ui/bridge/rows/rows.h"
#include "ui/graph/panels/traceback.h"
#include "ui/widgets/banner_stack.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QGridLayout;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace sg::ui {

// The facts that are known of a task that failed.
struct FailureReport {
    QString node;
    TaskRow task;
    QString folder; // of the project: lines of its files are shown around those that the traceback names
    std::optional<Value> wentIn; // the channels as the task began, where they are known
    std::optional<std::vector<std::string>> reads; // the channels that the node reads; nothing: all
};

// A failure, from what happened to what can be done: the message, the calls with those of libraries folded,
// the state that went in, and the verbs.
class FailureCard : public QWidget {
    Q_OBJECT
public:
    explicit FailureCard(QWidget* parent = nullptr);
    void show(const FailureReport& report);
    void setVerbs(const std::vector<BannerAction>& verbs); // the first one is what is expected
    [[nodiscard]] QWidget* foot() const { return m_foot; } // the verbs; another layout may take it
    [[nodiscard]] bool isOf(const TaskRow& task) const; // it shows that failure already
    [[nodiscard]] QString asMarkdown() const;

private:
    class Message;
    void fillFrames();
    void addFrame(const TraceFrame& frame, QTreeWidgetItem* above);
    void fillState();
    void fitRows(QTreeWidget& tree) const;
    void showWhetherChanged();

    FailureReport m_report;
    Traceback m_trace;
    Message* m_message;
    QLabel* m_why;
    QLabel* m_framesTitle;
    QTreeWidget* m_frames;
    QLabel* m_stateTitle;
    QTreeWidget* m_state;
    QWidget* m_foot;
    QLabel* m_changed; // the file was saved after the failure
    QGridLayout* m_verbs;
    std::vector<QWidget*> m_buttons; // of the verbs
};

} // namespace sg::ui
