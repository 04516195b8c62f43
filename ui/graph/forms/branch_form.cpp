#include "ui/graph/forms/branch_form.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/graph/forms/bound_rows.h"
#include "ui/graph/forms/node_chooser.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kProgramLines = 3;

graph::Branch* branchIn(graph::Graph& graph, std::size_t branch)
{
    return branch < graph.branches.size() ? &graph.branches[branch] : nullptr;
}

} // namespace

BranchForm::BranchForm(GraphDocument& document, std::size_t branch, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_branch(branch)
    , m_rows(new BoundRows(document, this))
    , m_free(new QLabel(tr("The outcome is the name of the next node, a Send, or a list of them."), this))
    , m_add(new QPushButton(icon(QLatin1String("plus")), tr("Add outcome"), this))
    , m_any(new QPushButton(tr("Any node, or Send"), this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_rows->setScope(QStringLiteral("branch/%1").arg(branch));
    addProgram();
    m_free->setFont(uiFont(TextSize::Small));
    m_free->setForegroundRole(QPalette::PlaceholderText);
    m_free->setWordWrap(true);
    m_add->setProperty("sgFlat", true);
    makeDense(m_add);
    connect(m_add, &QPushButton::clicked, this, [this] {
        m_document.edit(tr("Add outcome"), [this](graph::Graph& graph) { addTarget(graph, m_branch); });
    });
    m_any->setObjectName(QStringLiteral("anyTarget"));
    m_any->setProperty("sgFlat", true);
    m_any->setToolTip(tr("The outcome itself names the next nodes or sends them what to work on."));
    makeDense(m_any);
    connect(m_any, &QPushButton::clicked, this, [this] {
        m_document.edit(tr("Any node"), [this](graph::Graph& graph) { allowAnyTarget(graph, m_branch); });
    });
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_add);
    buttons->addWidget(m_any);
    buttons->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_rows);
    column->addWidget(m_free);
    column->addLayout(buttons);
    connect(&m_document, &GraphDocument::graphEdited, this, &BranchForm::fill);
    fill();
}

const graph::Branch* BranchForm::shown() const
{
    const auto& branches = m_document.graph().branches;
    return m_branch < branches.size() ? &branches[m_branch] : nullptr;
}

QString BranchForm::setting(const char* key) const
{
    const graph::Branch* branch = shown();
    return branch ? settingText(branch->settings.find(key)) : QString();
}

void BranchForm::addProgram()
{
    const auto isPython = [this] { return shown() && shown()->settings.contains("file"); };
    const auto put = [this](const char* key) {
        return [this, key](graph::Graph& graph, const QString& text) {
            if (graph::Branch* branch = branchIn(graph, m_branch))
                setSettingText(branch->settings, key, text);
        };
    };
    m_rows->bindChoice(
        tr("Decided by"), { tr("a jq program"), tr("a Python function") },
        [isPython] { return isPython() ? 1 : 0; },
        [this](graph::Graph& graph, int kind) {
            graph::Branch* branch = branchIn(graph, m_branch);
            if (!branch)
                return;
            for (const char* key : { "jq", "file", "function" })
                branch->settings.erase(Value(key));
            if (kind == 0) {
                branch->settings.set("jq", Value("\"\""));
            } else {
                branch->settings.set("file", Value("nodes/" + branch->from.value + ".py"));
                branch->settings.set("function", Value("route"));
            }
        });
    auto* program = m_rows->bindProgram(
        tr("Outcome (jq)"), kProgramLines, [this] { return setting("jq"); }, put("jq"));
    auto* file = m_rows->bindText(
        tr("File"), tr("nodes/name.py"), [this] { return setting("file"); }, put("file"));
    auto* function = m_rows->bindText(
        tr("Function"), QString(), [this] { return setting("function"); }, put("function"));
    m_rows->onFill([this, isPython, program, file, function] {
        m_rows->setRowVisible(program, !isPython());
        m_rows->setRowVisible(file, isPython());
        m_rows->setRowVisible(function, isPython());
    });
}

void BranchForm::fill()
{
    const graph::Branch* branch = shown();
    if (!branch)
        return;
    m_rows->fill();
    m_free->setVisible(!branch->targets);
    m_any->setVisible(branch->targets.has_value());
    const std::size_t count = branch->targets ? branch->targets->size() : 0;
    if (!m_table || m_targets.size() != count)
        buildRows(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [label, target] = (*branch->targets)[i];
        if (!m_targets[i].label->hasFocus())
            showText(*m_targets[i].label, QString::fromStdString(label));
        m_targets[i].label->setAccessibleName(tr("Outcome that leads to %1").arg(nodeTitle(target)));
        m_targets[i].target->setNode(target);
        m_targets[i].target->setAccessibleName(tr("Where %1 leads").arg(QString::fromStdString(label)));
    }
}

void BranchForm::buildRows(std::size_t count)
{
    if (m_table) {
        m_table->hide();
        m_table->deleteLater(); // the pressed button may be in it
    }
    m_targets.clear();
    m_table = new QWidget(this);
    m_grid = new QGridLayout(m_table);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(4);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(2, 1);
    for (std::size_t i = 0; i < count; ++i)
        addRow(i);
    m_table->setVisible(count > 0);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_table);
}

void BranchForm::addRow(std::size_t index)
{
    const Row row{ new QLineEdit(m_table), new NodeChooser(m_document, m_table) };
    makeDense(row.label);
    auto* leads = new QLabel(QStringLiteral("→"), m_table);
    leads->setForegroundRole(QPalette::PlaceholderText);
    auto* remove = new QToolButton(m_table);
    remove->setIcon(icon(QLatin1String("trash"), &Tokens::muted));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Remove the outcome"));
    remove->setAccessibleName(tr("Remove the outcome"));
    const int line = static_cast<int>(index);
    m_grid->addWidget(row.label, line, 0);
    m_grid->addWidget(leads, line, 1);
    m_grid->addWidget(row.target, line, 2);
    m_grid->addWidget(remove, line, 3);
    connect(row.label, &QLineEdit::editingFinished, this, [this, index] { takeLabel(index); });
    connect(row.target, &NodeChooser::nodeChosen, this, [this, index](const QString& node) {
        m_document.edit(tr("Outcome"), [&](graph::Graph& graph) {
            setTarget(graph, m_branch, index, NodeId(node.toStdString()));
        });
    });
    connect(remove, &QToolButton::clicked, this, [this, index] {
        m_document.edit(tr("Remove outcome"),
                        [&](graph::Graph& graph) { removeTarget(graph, m_branch, index); });
    });
    m_targets.push_back(row);
}

void BranchForm::takeLabel(std::size_t index)
{
    QLineEdit& line = *m_targets[index].label;
    const QString typed = line.text().trimmed();
    m_document.edit(tr("Outcome"), [&](graph::Graph& graph) {
        setTargetLabel(graph, m_branch, index, typed.toStdString());
    });
    const graph::Branch* branch = shown(); // a label that was refused is reset
    if (branch && branch->targets && index < branch->targets->size())
        showText(line, QString::fromStdString((*branch->targets)[index].first));
    line.setAccessibleDescription(
        line.text() == typed ? QString() : tr("The branch has an outcome %1 already").arg(typed));
}

} // namespace sg::ui
