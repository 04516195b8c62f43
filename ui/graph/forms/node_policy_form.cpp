#include "ui/graph/forms/node_policy_form.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/graph/forms/bound_rows.h"
#include "ui/graph/forms/fold_button.h"
#include "ui/graph/forms/on_node.h"
#include "ui/graph/forms/setting_rows.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

using PolicyNumber = std::optional<double>;

constexpr BoundRows::Range kSeconds{ 0.001, graph::kLongestSeconds, false };
constexpr int kHandlerLines = 3;
constexpr int kOtherLines = 4;

enum class Handler { None, Jq, Python };

Handler handlerOf(const graph::Node& node)
{
    if (!node.errorHandler.isMap())
        return Handler::None;
    return node.errorHandler.find("file") ? Handler::Python : Handler::Jq;
}

ValueMap othersOf(const graph::Node& node)
{
    const graph::NodeKind* kind = graph::findNodeKind(node.kind);
    ValueMap others;
    for (const auto& [key, value] : node.settings)
        if (key.isString() && !graph::findSetting(kind, key.asString()))
            others.set(key, value);
    return others;
}

bool isFolded(const graph::NodeSetting& setting)
{
    return setting.place != graph::SettingPlace::Form && setting.place != graph::SettingPlace::Editor;
}

bool saysMore(const graph::Node& node)
{
    const graph::NodeKind* kind = graph::findNodeKind(node.kind);
    return node.defer || !node.retry.empty() || node.cache || node.input || !node.errorHandler.isNull()
        || std::ranges::any_of(node.settings, [kind](const auto& entry) {
               const auto* setting =
                   entry.first.isString() ? graph::findSetting(kind, entry.first.asString()) : nullptr;
               return !setting || isFolded(*setting);
           });
}

} // namespace

NodePolicyForm::NodePolicyForm(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_rows(new BoundRows(document, this))
    , m_fold(new FoldButton(tr("Time, failures, results"), *m_rows, this))
{
    m_fold->setObjectName(QStringLiteral("nodePolicies"));
    addSettings(graph::SettingPlace::Time);
    addRetry();
    addHandler();
    addResult();
    addOrder();
    addOthers();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_fold, 0, Qt::AlignLeft);
    column->addWidget(m_rows);
    connect(&m_document, &GraphDocument::graphEdited, this, &NodePolicyForm::fill);
    connect(&m_document, &GraphDocument::graphReset, this, &NodePolicyForm::fill);
}

void NodePolicyForm::setNode(const NodeId& node)
{
    const bool isOther = node != m_node;
    m_node = node;
    if (isOther) {
        m_rule = 0;
        m_rows->setScope(QString::fromStdString(node.value));
    }
    if (isOther && saysMore(this->node()))
        m_fold->setOpen(true);
    fill();
}

void NodePolicyForm::fill()
{
    if (m_document.graph().findNode(m_node))
        m_rows->fill();
}

const graph::Node& NodePolicyForm::node() const
{
    static const graph::Node kNoNode{};
    const graph::Node* node = m_document.graph().findNode(m_node);
    return node ? *node : kNoNode;
}

void NodePolicyForm::addSettings(graph::SettingPlace place)
{
    const auto add = [this, place](const graph::NodeSetting& setting, std::string_view kind) {
        if (setting.place != place)
            return;
        QWidget* row = addSettingRow(*m_rows, m_document, m_node, setting);
        m_rows->onFill([this, row, place, kind] {
            m_rows->setRowVisible(row,
                                  (kind.empty() || node().kind == kind)
                                      && (place != graph::SettingPlace::Retry || !node().retry.empty()));
        });
    };
    for (const graph::NodeSetting& setting : graph::commonSettings())
        add(setting, {});
    for (const graph::NodeKind& kind : graph::nodeKinds())
        for (const graph::NodeSetting& setting : kind.settings)
            add(setting, kind.id);
}

void NodePolicyForm::addHandler()
{
    const auto part = [this](const char* key) {
        return [this, key] {
            const Value& handler = node().errorHandler;
            return settingText(handler.isMap() ? handler.find(key) : nullptr);
        };
    };
    const auto put = [this](const char* key) {
        return onNode(m_node, [key](graph::Node& node, const QString& text) {
            if (!node.errorHandler.isMap())
                return;
            ValueMap handler = node.errorHandler.asMap();
            setSettingText(handler, key, text);
            node.errorHandler = Value(std::move(handler));
        });
    };
    m_rows->bindChoice(
        tr("When it failed"), { tr("the run fails"), tr("run a jq program"), tr("call a Python function") },
        [this] { return static_cast<int>(handlerOf(node())); },
        onNode(m_node, [](graph::Node& node, int choice) {
            ValueMap handler;
            if (static_cast<Handler>(choice) == Handler::Jq) {
                handler.set("jq", Value("{}"));
            } else if (static_cast<Handler>(choice) == Handler::Python) {
                const Value* file = node.settings.find("file");
                handler.set("file",
                            file && file->isString() ? *file : Value("nodes/" + node.name.value + ".py"));
                handler.set("function", Value("on_error"));
            }
            node.errorHandler = choice == 0 ? Value() : Value(std::move(handler));
        }));
    auto* program = m_rows->bindProgram(tr("Program (jq)"), kHandlerLines, part("jq"), put("jq"));
    program->setToolTip(tr("Makes the node's update of {state, error: {node, type, message}}."));
    auto* file = m_rows->bindText(tr("Its file"), tr("nodes/name.py"), part("file"), put("file"));
    auto* function = m_rows->bindText(tr("Its function"), QString(), part("function"), put("function"));
    function->setToolTip(tr("Called with the state and the error."));
    m_rows->onFill([this, program, file, function] {
        const Handler handler = handlerOf(node());
        m_rows->setRowVisible(program, handler == Handler::Jq);
        m_rows->setRowVisible(file, handler == Handler::Python);
        m_rows->setRowVisible(function, handler == Handler::Python);
    });
}

void NodePolicyForm::addResult()
{
    auto* keeps = m_rows->bindFlag(
        tr("Result"), tr("keep it for the same input"), [this] { return node().cache.has_value(); },
        onNode(m_node, [](graph::Node& node, bool wanted) {
            node.cache = wanted ? std::optional(graph::CachePolicy()) : std::nullopt;
        }));
    auto* age = m_rows->bindNumber(
        tr("Kept for"), tr("ever; seconds"), kSeconds,
        [this] { return node().cache ? node().cache->ttl : PolicyNumber(); },
        onNode(m_node, [](graph::Node& node, PolicyNumber seconds) {
            if (node.cache)
                node.cache->ttl = seconds;
        }));
    m_rows->onFill([this, keeps, age] {
        m_rows->setRowVisible(age, node().cache.has_value());
        m_rows->setFault(keeps,
                         node().cache && !m_document.graph().cache
                             ? tr("Nothing is kept until the graph's own settings say so.")
                             : QString());
    });
}

void NodePolicyForm::addOrder()
{
    m_rows->bindFlag(
        tr("Turn"), tr("when nothing else is left to run"), [this] { return node().defer; },
        onNode(m_node, [](graph::Node& node, bool waits) { node.defer = waits; }));
    addSettings(graph::SettingPlace::Order);
    m_rows->bindNames(
        tr("Input"), tr("all channels; [] for none"), [this] { return node().input; },
        onNode(m_node, [](graph::Node& node, const BoundRows::Names& names) { node.input = names; }),
        [this](const std::string& name) { return unknownChannel(m_document, name); });
}

void NodePolicyForm::addOthers()
{
    addSettings(graph::SettingPlace::Last);
    m_rows->bindObject(
        tr("Other keys"), kOtherLines, [this] { return othersOf(node()); },
        onNode(m_node, [](graph::Node& node, const ValueMap& others) {
            for (const auto& [key, value] : othersOf(node))
                node.settings.erase(key);
            for (const auto& [key, value] : others)
                if (key.isString() && !graph::findSetting(graph::findNodeKind(node.kind), key.asString()))
                    node.settings.set(key, value);
        }));
}

} // namespace sg::ui
