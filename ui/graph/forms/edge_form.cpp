#include "ui/graph/forms/edge_form.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/graph/forms/bound_rows.h"
#include "ui/graph/forms/branch_form.h"
#include "ui/graph/forms/node_chooser.h"
#include "ui/widgets/fonts.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace sg::ui {

EdgeForm::EdgeForm(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_title(new QLabel(this))
    , m_kind(new QLabel(this))
    , m_rows(new BoundRows(document, this))
    , m_target(new NodeChooser(document, m_rows))
    , m_column(new QVBoxLayout(this))
{
    setAccessibleName(tr("Edge"));
    m_title->setFont(uiFont(TextSize::Heading, QFont::DemiBold));
    m_title->setTextFormat(Qt::PlainText);
    m_kind->setFont(uiFont(TextSize::Dense));
    m_kind->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : { m_title, m_kind })
        label->setWordWrap(true);
    using Names = BoundRows::Names;
    QLineEdit* starts = m_rows->bindNames(
        tr("Waits for"), QString(),
        [this]() -> Names {
            Names names;
            if (edge())
                for (const NodeId& id : edge()->from)
                    (names ? *names : names.emplace()).push_back(id.value);
            return names;
        },
        [this](graph::Graph& graph, const Names& names) {
            setStarts(graph, m_edge.part, names.value_or(std::vector<std::string>()));
        });
    m_starts = starts;
    connect(starts, &QLineEdit::textEdited, this, [this](const QString& text) {
        QStringList faults;
        for (const std::string& name : namesIn(text))
            if (!m_document.graph().findNode(NodeId(name)))
                faults << tr("There is no node \"%1\".").arg(QString::fromStdString(name));
        m_rows->setFault(m_starts, faults.join(QLatin1Char(' ')));
    });
    m_rows->addRow(tr("Leads to"), m_target);
    connect(m_target, &NodeChooser::nodeChosen, this, [this](const QString& node) {
        m_document.edit(tr("Edge"), [&](graph::Graph& graph) {
            setEdgeTarget(graph, m_edge.part, NodeId(node.toStdString()));
        });
        fill(); // shows the old target again if the new one was refused
    });
    m_column->setContentsMargins(12, 12, 12, 12);
    m_column->setSpacing(10);
    m_column->addWidget(m_title);
    m_column->addWidget(m_kind);
    m_column->addWidget(m_rows);
    m_column->addStretch();
    connect(&m_document, &GraphDocument::graphEdited, this, &EdgeForm::fill);
}

const graph::Edge* EdgeForm::edge() const
{
    const auto& edges = m_document.graph().edges;
    return !m_edge.ofBranch && !m_edge.ofCommand && m_edge.part < edges.size() ? &edges[m_edge.part]
                                                                               : nullptr;
}

void EdgeForm::setEdge(const DrawnEdge& edge)
{
    m_edge = edge;
    fill();
}

void EdgeForm::fill()
{
    const auto& nodes = m_document.drawing().nodes;
    const auto& branches = m_document.graph().branches;
    const bool isBranch = m_edge.ofBranch && m_edge.part < branches.size();
    showBranch(isBranch);
    m_rows->setVisible(edge() != nullptr);
    setEnabled(m_document.isEditable());
    if (isBranch) {
        const QString from = nodeTitle(branches[m_edge.part].from);
        m_title->setText(tr("Branch of %1").arg(from));
        m_kind->setText(m_edge.open ? tr("After %1 the run goes where the outcome says.").arg(from)
                            : m_edge.to < nodes.size()
                            ? tr("This way leads to %1 where the outcome is \"%2\".")
                                  .arg(nodeTitle(nodes[m_edge.to].id), QString::fromStdString(m_edge.label))
                            : QString());
        return;
    }
    if (m_edge.ofCommand && m_edge.from < nodes.size() && m_edge.to < nodes.size()) {
        const QString from = nodeTitle(nodes[m_edge.from].id);
        m_title->setText(tr("%1 → %2").arg(from, nodeTitle(nodes[m_edge.to].id)));
        m_kind->setText(tr("%1 goes there where its result says so: \"May go to\" of the node.").arg(from));
        return;
    }
    if (!edge())
        return;
    QStringList starts;
    for (const NodeId& id : edge()->from)
        starts << nodeTitle(id);
    const bool waits = edge()->waiting;
    m_title->setText(tr("%1 → %2").arg(starts.join(QStringLiteral(" + ")), nodeTitle(edge()->to)));
    m_kind->setText(waits ? tr("Waiting edge: %1 runs when all of these have run.").arg(nodeTitle(edge()->to))
                          : tr("%1 runs after %2.").arg(nodeTitle(edge()->to), starts.join(QString())));
    m_rows->setScope(QStringLiteral("edge/%1").arg(m_edge.part));
    m_rows->fill();
    m_rows->setRowVisible(m_starts, waits);
    m_target->setNode(edge()->to);
}

void EdgeForm::showBranch(bool shown)
{
    const bool fits = m_branch && shown && m_branch->branch() == m_edge.part;
    if (m_branch && !fits) {
        m_branch->hide();
        m_branch->deleteLater(); // one of its fields may be emitting a signal
        m_branch = nullptr;
    }
    if (!shown || m_branch)
        return;
    m_branch = new BranchForm(m_document, m_edge.part, this);
    m_column->insertWidget(m_column->indexOf(m_rows) + 1, m_branch);
}

} // namespace sg::ui
