#pragma once

#include "core/graph/graph.h"
#include "ui/bridge/rows/rows.h"
#include "ui/graph/scene/node_state.h"

#include <QFrame>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedLayout;

namespace sg::ui {

class FailureCard;
struct BannerAction;

// The facts that the inspector shows about one node.
struct NodeReport {
    graph::Node node;
    NodeState state; // at the viewed checkpoint
    std::optional<TaskRow> task; // the newest one up to that checkpoint
    QString folder; // of the project; the node's file is relative to it
    std::optional<Value> wentIn = {}; // the channels as that task began, where they are known
};

// Shows what the selected node runs, how its last task went, and a failure with the whole traceback.
class NodeInspector : public QWidget {
    Q_OBJECT
public:
    explicit NodeInspector(QWidget* parent = nullptr);
    void show(const NodeReport& report);
    void clear();
    void setForm(QWidget* form); // fields of the node, shown instead of its facts
    using FailureVerbs = std::function<std::vector<BannerAction>(const TaskRow& failed)>;
    void setFailureVerbs(FailureVerbs verbs); // what can be done about a failure
    [[nodiscard]] bool showsFailure() const;
    [[nodiscard]] QWidget* failureFoot() const; // its verbs, which another layout may take

protected:
    void changeEvent(QEvent* event) override;

private:
    class Glyph;
    QWidget* createPage();
    QWidget* createCode(QWidget* parent);
    void showHeading();
    void showFacts();
    void showFailure();
    void showCode();
    void openFile() const;
    [[nodiscard]] QString file() const; // as in the graph; empty if the node has none

    NodeReport m_report;
    QStackedLayout* m_stack;
    Glyph* m_glyph = nullptr;
    QLabel* m_name = nullptr;
    QLabel* m_kind = nullptr;
    QLabel* m_state = nullptr;
    QGridLayout* m_facts = nullptr;
    QWidget* m_form = nullptr;
    FailureCard* m_failure = nullptr;
    FailureVerbs m_verbs;
    QPushButton* m_open = nullptr;
    QLabel* m_codeTitle = nullptr;
    QPushButton* m_raw = nullptr; // pressed: the traceback as Python wrote it
    QPlainTextEdit* m_code = nullptr; // the traceback, else the node's program
};

} // namespace sg::ui
