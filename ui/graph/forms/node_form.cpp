#include "ui/graph/forms/node_form.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/graph/forms/agent_rows.h"
#include "ui/graph/forms/branch_form.h"
#include "ui/graph/forms/node_policy_form.h"
#include "ui/graph/forms/on_node.h"
#include "ui/graph/forms/setting_rows.h"
#include "ui/graph/kind_look.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace sg::ui {
namespace {

// Another kind drops fields, so it is picked from the opened list only, never by accident.
class KindBox final : public QComboBox {
public:
    explicit KindBox(QWidget* parent)
        : QComboBox(parent)
    {
        setFocusPolicy(Qt::StrongFocus); // excludes the wheel
    }

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); } // the form scrolls instead

    void keyPressEvent(QKeyEvent* event) override
    {
        switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
        case Qt::Key_Home:
        case Qt::Key_End:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
        case Qt::Key_F4: showPopup(); break;
        default: event->ignore(); // a letter would pick the next kind that begins with it
        }
    }
};

} // namespace

NodeForm::NodeForm(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_policies(new NodePolicyForm(document, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_policies);
    connect(&m_document, &GraphDocument::graphEdited, this, &NodeForm::fill);
    connect(&m_document, &GraphDocument::graphReset, this, &NodeForm::fill);
}

void NodeForm::setNode(const NodeId& node)
{
    if (node != m_node && m_name && m_name->isModified())
        takeName(); // takes the name of the previous node
    m_node = node;
    fill();
    m_policies->setNode(node);
}

void NodeForm::focusName()
{
    if (m_name) {
        m_name->setFocus();
        m_name->selectAll();
    }
}

// Nodes with the same fields share the widgets.
std::string NodeForm::shapeOf(const graph::Node& node) const
{
    std::string shape = node.name.value + "/" + node.kind + agentShape(node);
    const auto& branches = m_document.graph().branches;
    for (std::size_t i = 0; i < branches.size(); ++i)
        if (branches[i].from == node.name)
            shape += "/" + std::to_string(i);
    return shape;
}

void NodeForm::fill()
{
    const graph::Node* node = m_document.graph().findNode(m_node);
    if (!node)
        return;
    if (shapeOf(*node) != m_shape)
        build(*node);
    for (const auto& fillOne : m_fill)
        fillOne(*node);
    m_rows->fill();
    setEnabled(m_document.isEditable());
}

void NodeForm::build(const graph::Node& node)
{
    m_shape = shapeOf(node);
    m_fill.clear();
    for (QWidget* old : { static_cast<QWidget*>(m_rows), m_branches })
        if (old) {
            old->hide();
            old->deleteLater(); // one of its fields may be emitting a signal
        }
    m_rows = new BoundRows(m_document, this);
    m_rows->setScope(QString::fromStdString(node.name.value));
    m_branches = new QWidget(this);
    auto* column = new QVBoxLayout(m_branches);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* all = static_cast<QVBoxLayout*>(layout());
    all->insertWidget(all->indexOf(m_policies), m_rows);
    all->insertWidget(all->indexOf(m_policies), m_branches);
    m_name = m_rows->addLine(tr("Name"));
    m_name->setObjectName(QStringLiteral("nodeName"));
    connect(m_name, &QLineEdit::textEdited, this, &NodeForm::checkName);
    connect(m_name, &QLineEdit::editingFinished, this, &NodeForm::takeName);
    m_fill.push_back([this](const graph::Node& shown) {
        if (!m_name->isModified())
            showText(*m_name, QString::fromStdString(shown.name.value));
    });
    addKindField(node);
    addSettings(node);
    addCommonFields();
    const auto& branches = m_document.graph().branches;
    for (std::size_t i = 0; i < branches.size(); ++i)
        if (branches[i].from == node.name)
            addBranchFields(i);
    m_branches->setVisible(column->count() > 0);
}

// Changing the kind is one step that keeps the settings that both kinds know.
void NodeForm::addKindField(const graph::Node& node)
{
    auto* kinds = new KindBox(m_rows);
    kinds->setObjectName(QStringLiteral("nodeKind"));
    kinds->setAccessibleName(tr("Kind"));
    makeDense(kinds);
    for (const graph::NodeKind* kind : kindsOfPalette()) {
        const std::string id(kind->id);
        kinds->addItem(icon(iconOfKind(id)), translated(kind->title), QString::fromStdString(id));
    }
    const QString now = QString::fromStdString(node.kind);
    if (kinds->findData(now) < 0) // the graph was made by a version with more kinds
        kinds->addItem(now, now);
    m_rows->addRow(tr("Kind"), kinds);
    connect(kinds, &QComboBox::activated, this, [this, kinds] {
        const std::string kind = kinds->currentData().toString().toStdString();
        const bool changed = m_document.edit(tr("Change the kind"),
                                             [&](graph::Graph& graph) { setNodeKind(graph, m_node, kind); });
        if (auto* made = m_rows->findChild<QComboBox*>(QStringLiteral("nodeKind")); made && changed)
            made->setFocus(); // the form was rebuilt
    });
    m_fill.push_back([kinds](const graph::Node& shown) {
        kinds->setCurrentIndex(kinds->findData(QString::fromStdString(shown.kind)));
    });
}

// Adds the settings that are not in the policy form.
void NodeForm::addSettings(const graph::Node& node)
{
    if (const graph::NodeKind* kind = graph::findNodeKind(node.kind))
        for (const graph::NodeSetting& setting : kind->settings)
            if (setting.place == graph::SettingPlace::Form)
                if (node.kind != graph::kAgentKind || !addAgentRows(*m_rows, m_document, m_node, setting))
                    addSettingRow(*m_rows, m_document, m_node, setting);
}

void NodeForm::addCommonFields()
{
    addNames(tr("Reads"), &graph::Node::reads);
    addNames(tr("Writes"), &graph::Node::writes);
    addPauseField(true);
    addPauseField(false);
}

void NodeForm::addPauseField(bool before)
{
    const Breakpoint where = before ? Breakpoint::Before : Breakpoint::After;
    auto* field = new QWidget(m_rows);
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    auto* pauses = new QCheckBox(field);
    pauses->setAccessibleName(before ? tr("Pause before this node") : tr("Pause after this node"));
    auto* condition = new QLineEdit(field);
    condition->setPlaceholderText(tr("always; or when (jq): .count > 3"));
    condition->setAccessibleName(before ? tr("When to pause before") : tr("When to pause after"));
    condition->setToolTip(
        tr("A jq program over the state: the run pauses where it gives neither false nor null."));
    makeDense(condition);
    condition->setFont(monoFont(TextSize::Small));
    row->addWidget(pauses);
    row->addWidget(condition, 1);
    m_rows->addRow(before ? tr("Pause before") : tr("Pause after"), field);
    connect(pauses, &QCheckBox::clicked, this, [this, where] {
        m_document.edit(tr("Breakpoint"),
                        [&](graph::Graph& graph) { toggleBreakpoint(graph, m_node, where); });
    });
    connect(condition, &QLineEdit::textEdited, this, [this, where, before](const QString& text) {
        m_document.edit(
            tr("Breakpoint"),
            [&](graph::Graph& graph) {
                if (!text.isEmpty() && !hasBreakpoint(graph, m_node, where))
                    toggleBreakpoint(graph, m_node, where);
                setBreakCondition(graph, m_node, where, text.toStdString());
            },
            QString::fromStdString(m_node.value)
                + (before ? QStringLiteral("/before") : QStringLiteral("/after")));
    });
    m_fill.push_back([this, pauses, condition, where](const graph::Node& node) {
        pauses->setChecked(hasBreakpoint(m_document.graph(), node.name, where));
        showText(*condition, QString::fromStdString(breakCondition(m_document.graph(), node.name, where)));
    });
}

void NodeForm::addBranchFields(std::size_t branch)
{
    auto* heading = new QLabel(tr("Branch"), m_branches);
    heading->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_branches->layout()->addWidget(heading);
    m_branches->layout()->addWidget(new BranchForm(m_document, branch, m_branches));
}

void NodeForm::addNames(const QString& title, std::optional<std::vector<std::string>> graph::Node::*names)
{
    m_rows->bindNames(
        title, tr("all channels; [] for none"),
        [this, names] {
            const graph::Node* node = m_document.graph().findNode(m_node);
            return node ? node->*names : std::nullopt;
        },
        onNode(m_node, [names](graph::Node& node, const BoundRows::Names& list) { node.*names = list; }),
        [this](const std::string& name) { return unknownChannel(m_document, name); });
}

void NodeForm::checkName(const QString& name)
{
    const std::string fault = nodeNameFault(m_document.graph(), name.trimmed().toStdString(), m_node.value);
    m_rows->setFault(m_name, QString::fromStdString(fault));
}

void NodeForm::takeName()
{
    if (!m_name->isModified())
        return;
    m_name->setModified(false);
    const std::string name = m_name->text().trimmed().toStdString();
    if (!nodeNameFault(m_document.graph(), name, m_node.value).empty()) {
        showText(*m_name, QString::fromStdString(m_node.value));
        checkName(m_name->text());
        return;
    }
    const NodeId from = m_node;
    if (m_document.edit(tr("Rename"), [&](graph::Graph& graph) { renameNode(graph, from, NodeId(name)); }))
        Q_EMIT renamed(QString::fromStdString(name));
}

} // namespace sg::ui
