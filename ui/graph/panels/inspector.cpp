#include "ui/graph/panels/inspector.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/forms/edge_form.h"
#include "ui/graph/forms/graph_form.h"
#include "ui/graph/forms/node_form.h"
#include "ui/widgets/fonts.h"

#include <QAbstractButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace sg::ui {
namespace {

constexpr int kAbove = 10;
constexpr int kLeastCode = 120;

QScrollArea* scrolled(QWidget* page, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(page);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

} // namespace

Inspector::Inspector(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_form(new NodeForm(document, this))
    , m_node(new NodeInspector(this))
    , m_graph(new GraphForm(document, this))
    , m_edge(new EdgeForm(document, this))
    , m_stack(new QStackedLayout(this))
{
    setAccessibleName(tr("Inspector"));
    m_node->setForm(m_form);
    m_graphPage = scrolled(m_graph, this);
    m_edgePage = scrolled(m_edge, this);
    m_nodeFields = scrolled(m_node, this);
    m_nodePage = new QSplitter(Qt::Vertical, this);
    m_nodePage->setChildrenCollapsible(false);
    m_nodePage->setHandleWidth(1);
    auto* fields = new QWidget(m_nodePage);
    fields->setAutoFillBackground(true);
    fields->setBackgroundRole(QPalette::Base);
    auto* foot = new QVBoxLayout; // what can be done stays in sight while the traceback is scrolled
    foot->setContentsMargins(12, 6, 12, 8);
    foot->addWidget(m_node->failureFoot());
    auto* column = new QVBoxLayout(fields);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_nodeFields, 1);
    column->addLayout(foot);
    m_node->failureFoot()->hide();
    m_nodePage->addWidget(fields);
    m_stack->addWidget(m_graphPage);
    m_stack->addWidget(m_nodePage);
    m_stack->addWidget(m_edgePage);
    connect(m_form, &NodeForm::renamed, this, &Inspector::renamed);
}

void Inspector::showNode(const NodeReport& report)
{
    m_form->setNode(report.node.name);
    m_node->show(report);
    updateCode();
    m_stack->setCurrentWidget(m_nodePage);
}

void Inspector::setFailureVerbs(NodeInspector::FailureVerbs verbs)
{
    m_node->setFailureVerbs(std::move(verbs));
}

void Inspector::showEdge(const DrawnEdge& edge)
{
    m_edge->setEdge(edge);
    m_stack->setCurrentWidget(m_edgePage);
}

void Inspector::showGraph()
{
    m_stack->setCurrentWidget(m_graphPage);
}

void Inspector::showMode()
{
    showGraph();
    QWidget* mode = m_graph->modeForm();
    if (auto* first = mode->findChild<QAbstractButton*>())
        first->setFocus(Qt::OtherFocusReason);
    m_graphPage->verticalScrollBar()->setValue(mode->mapTo(m_graph, QPoint()).y() - kAbove);
}

void Inspector::showPart(const std::string& pointer)
{
    showGraph();
    if (QWidget* field = m_graph->fieldOf(pointer))
        m_graphPage->ensureWidgetVisible(field);
}

void Inspector::setCode(QWidget* editor)
{
    m_code = editor;
    editor->setMinimumHeight(scaledLength(kLeastCode));
    m_nodePage->addWidget(editor);
    m_nodePage->setStretchFactor(0, 2);
    m_nodePage->setStretchFactor(1, 3);
}

void Inspector::setCodeVisible(bool visible)
{
    m_hasCode = visible;
    updateCode();
}

// The traceback has the lines that failed and needs the room.
void Inspector::updateCode()
{
    if (m_code)
        m_code->setVisible(m_hasCode && !m_node->showsFailure());
}

void Inspector::focusName()
{
    m_form->focusName();
}

} // namespace sg::ui
