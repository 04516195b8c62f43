#include "ui/graph/node_form.h"

#include "core/base/json.h"
#include "ui/graph/form_rows.h"
#include "ui/graph/graph_document.h"
#include "ui/graph/graph_edits.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kMostAttempts = 100;

// Texts as they are, everything else as JSON.
QString wordsOf(const Value* value)
{
    if (!value)
        return {};
    return QString::fromStdString(value->isString() ? value->asString() : toJson(*value, JsonStyle::Spaced));
}

void setText(ValueMap& settings, const std::string& key, const QString& text)
{
    if (text.isEmpty())
        settings.erase(Value(key));
    else
        settings.set(Value(key), Value(text.toStdString()));
}

std::vector<std::string> namesIn(const QString& text)
{
    std::vector<std::string> names;
    for (const QString& name : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!name.trimmed().isEmpty())
            names.push_back(name.trimmed().toStdString());
    return names;
}

QString joined(const std::vector<std::string>& names)
{
    QStringList list;
    for (const std::string& name : names)
        list << QString::fromStdString(name);
    return list.join(QStringLiteral(", "));
}

} // namespace

NodeForm::NodeForm(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    connect(&m_document, &GraphDocument::graphEdited, this, &NodeForm::fill);
    connect(&m_document, &GraphDocument::graphReset, this, &NodeForm::fill);
}

void NodeForm::setNode(const NodeId& node)
{
    if (node != m_node && m_name && m_name->isModified())
        takeName(); // of the one before
    m_node = node;
    fill();
}

void NodeForm::focusName()
{
    if (m_name) {
        m_name->setFocus();
        m_name->selectAll();
    }
}

// Two nodes whose fields are the same ones share the widgets.
std::string NodeForm::shapeOf(const graph::Node& node) const
{
    std::string shape = node.name.value + "/" + node.kind;
    for (const graph::Branch& branch : m_document.graph().branches)
        if (branch.from == node.name)
            shape += "/" + std::to_string(branch.targets ? branch.targets->size() : 0);
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
    setEnabled(m_document.isEditable());
}

void NodeForm::build(const graph::Node& node)
{
    m_shape = shapeOf(node);
    m_fill.clear();
    if (m_rows) {
        m_rows->hide();
        m_rows->deleteLater(); // one of its fields may be telling of a change
    }
    m_rows = new FormRows(this);
    layout()->addWidget(m_rows);
    m_name = m_rows->addLine(tr("Name"));
    m_name->setObjectName(QStringLiteral("nodeName"));
    connect(m_name, &QLineEdit::textEdited, this, &NodeForm::checkName);
    connect(m_name, &QLineEdit::editingFinished, this, &NodeForm::takeName);
    m_fill.push_back([this](const graph::Node& shown) {
        if (!m_name->isModified())
            showText(*m_name, QString::fromStdString(shown.name.value));
    });
    addKindFields(node);
    addCommonFields();
    const auto& branches = m_document.graph().branches;
    for (std::size_t i = 0; i < branches.size(); ++i)
        if (branches[i].from == node.name)
            addBranchFields(i);
}

// The program of a jq node and the text of a code file have an editor of their own.
void NodeForm::addKindFields(const graph::Node& node)
{
    if (node.kind == "python") {
        addSetting(tr("File"), "file", tr("nodes/name.py"));
        addSetting(tr("Function"), "function", QStringLiteral("node"));
    } else if (node.kind == "human") {
        addSetting(tr("Question"), "question");
        addSetting(tr("Answer to"), "channel", tr("the answer is an update of the state"));
    } else if (node.kind == "dataset") {
        addSetting(tr("Dataset"), "dataset", tr("its name in datasets.json"));
        addSetting(tr("Path to"), "channel", tr("the channel that gets its path"));
    } else if (node.kind == "subgraph") {
        addSetting(tr("Takes (jq)"), "in", tr("the state as it is"));
        addSetting(tr("Gives (jq)"), "out", tr("what changed"));
    }
}

void NodeForm::addCommonFields()
{
    addNames(tr("Reads"), &graph::Node::reads);
    addNames(tr("Writes"), &graph::Node::writes);
    auto* attempts = new QSpinBox(m_rows);
    attempts->setRange(1, kMostAttempts);
    attempts->setSpecialValueText(tr("never again"));
    attempts->setSuffix(tr(" attempts"));
    makeDense(attempts);
    m_rows->addRow(tr("Retry"), attempts);
    connect(attempts, &QSpinBox::valueChanged, this, [this](int count) {
        change(tr("Retry"), QStringLiteral("retry"), [count](graph::Node& node) {
            if (count <= 1)
                node.retry.clear();
            else if (node.retry.empty())
                node.retry.push_back({});
            if (!node.retry.empty())
                node.retry.front().maxAttempts = count;
        });
    });
    m_fill.push_back([attempts](const graph::Node& node) {
        const QSignalBlocker quiet(attempts);
        attempts->setValue(node.retry.empty() ? 1 : node.retry.front().maxAttempts);
    });
    addPauseField(true);
    addPauseField(false);
}

// A breakpoint, and when it holds.
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
    m_rows->addHeading(tr("Branch"));
    auto* program = m_rows->addCode(tr("Outcome (jq)"), 3);
    const auto shownBranch = [this, branch]() -> const graph::Branch* {
        const auto& branches = m_document.graph().branches;
        return branch < branches.size() ? &branches[branch] : nullptr;
    };
    connect(program, &QPlainTextEdit::textChanged, this, [this, branch, program] {
        m_document.edit(
            tr("Branch"),
            [&](graph::Graph& graph) {
                if (branch < graph.branches.size())
                    setText(graph.branches[branch].settings, "jq", program->toPlainText());
            },
            QStringLiteral("branch/%1").arg(branch));
    });
    m_fill.push_back([program, shownBranch](const graph::Node&) {
        if (const graph::Branch* shown = shownBranch())
            showText(*program, wordsOf(shown->settings.find("jq")));
    });
    const graph::Branch* shown = shownBranch();
    if (!shown || !shown->targets)
        return;
    for (std::size_t i = 0; i < shown->targets->size(); ++i) {
        auto* label = m_rows->addLine(tr("→ %1").arg(QString::fromStdString(
            (*shown->targets)[i].second.value == graph::kEnd ? std::string("End")
                                                             : (*shown->targets)[i].second.value)));
        connect(label, &QLineEdit::editingFinished, this, [this, branch, i, label] {
            m_document.edit(tr("Outcome"), [&](graph::Graph& graph) {
                setTargetLabel(graph, branch, i, label->text().trimmed().toStdString());
            });
            fill();
        });
        m_fill.push_back([label, shownBranch, i](const graph::Node&) {
            const graph::Branch* now = shownBranch();
            if (now && now->targets && i < now->targets->size() && !label->hasFocus())
                showText(*label, QString::fromStdString((*now->targets)[i].first));
        });
    }
}

void NodeForm::change(const QString& title, const QString& key, const std::function<void(graph::Node&)>& set)
{
    m_document.edit(
        title,
        [&](graph::Graph& graph) {
            if (graph::Node* node = nodeIn(graph, m_node))
                set(*node);
        },
        QString::fromStdString(m_node.value) + QLatin1Char('/') + key);
}

void NodeForm::addSetting(const QString& title, const std::string& key, const QString& placeholder)
{
    QLineEdit* line = m_rows->addLine(title, placeholder);
    connect(line, &QLineEdit::textEdited, this, [this, title, key](const QString& text) {
        change(title, QString::fromStdString(key),
               [&](graph::Node& node) { setText(node.settings, key, text); });
    });
    m_fill.push_back(
        [line, key](const graph::Node& node) { showText(*line, wordsOf(node.settings.find(key))); });
}

void NodeForm::addNames(const QString& title, std::optional<std::vector<std::string>> graph::Node::*names)
{
    QLineEdit* line = m_rows->addLine(title, tr("all channels"));
    connect(line, &QLineEdit::textEdited, this, [this, title, names](const QString& text) {
        change(title, title, [&](graph::Node& node) {
            const auto listed = namesIn(text);
            node.*names = listed.empty() ? std::nullopt : std::optional(listed);
        });
    });
    m_fill.push_back([this, line, names](const graph::Node& node) {
        const auto& list = node.*names;
        QStringList faults;
        for (const std::string& name : list.value_or(std::vector<std::string>()))
            if (!m_document.graph().findChannel(name))
                faults << tr("The state has no channel \"%1\".").arg(QString::fromStdString(name));
        m_rows->setFault(line, faults.join(QLatin1Char(' ')));
        if (namesIn(line->text()) != list.value_or(std::vector<std::string>()))
            showText(*line, joined(list.value_or(std::vector<std::string>())));
    });
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
