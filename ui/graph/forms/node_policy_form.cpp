#include "ui/graph/forms/node_policy_form.h"

#include "core/graph/own_secrets.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/graph/forms/bound_rows.h"
#include "ui/graph/forms/fold_button.h"
#include "ui/graph/forms/on_node.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <vector>

namespace sg::ui {
namespace {

using PolicyNumber = std::optional<double>;

constexpr double kLongestSeconds = 30.0 * 24 * 3600;
constexpr BoundRows::Range kSeconds{ 0.001, kLongestSeconds, false };
constexpr int kHandlerLines = 3;
constexpr int kOtherLines = 4;

enum class Handler { None, Jq, Python };

Handler handlerOf(const graph::Node& node)
{
    if (!node.errorHandler.isMap())
        return Handler::None;
    return node.errorHandler.find("file") ? Handler::Python : Handler::Jq;
}

// Keys that have a field of their own for some kind of node.
bool hasField(const graph::Node& node, std::string_view key)
{
    struct Keys {
        std::string_view kind; // empty: any
        std::vector<std::string_view> names;
    };
    static const std::array<Keys, 6> kKeys{ {
        { "", { "timeout_s", "ends" } },
        { "jq", { "jq" } },
        { "python", { "file", "function", "on_retry", "requirements", "secrets" } },
        { "human", { "question", "channel", "jq" } },
        { "dataset", { "dataset", "from", "channel" } },
        { "subgraph", { "in", "out", "calls" } },
    } };
    return std::ranges::any_of(kKeys, [&](const Keys& keys) {
        return (keys.kind.empty() || keys.kind == node.kind)
            && std::ranges::find(keys.names, key) != keys.names.end();
    });
}

ValueMap othersOf(const graph::Node& node)
{
    ValueMap others;
    for (const auto& [key, value] : node.settings)
        if (key.isString() && !hasField(node, key.asString()))
            others.set(key, value);
    return others;
}

bool saysMore(const graph::Node& node)
{
    return node.defer || !node.retry.empty() || node.cache || node.input || !node.errorHandler.isNull()
        || !othersOf(node).empty()
        || std::ranges::any_of(
               std::array{ "timeout_s", "ends", "on_retry", "requirements", "secrets", "calls" },
               [&](const char* key) { return node.settings.contains(key); });
}

BoundRows::Names namesOf(const Value* value)
{
    if (!value || !value->isList())
        return std::nullopt;
    BoundRows::Names names(std::in_place);
    for (const Value& name : value->asList())
        if (name.isString())
            names->push_back(name.asString());
    return names;
}

void setNames(ValueMap& settings, const char* key, const BoundRows::Names& names)
{
    if (!names) {
        settings.erase(Value(key));
        return;
    }
    ValueList list;
    for (const std::string& name : *names)
        list.emplace_back(name);
    settings.set(Value(key), Value(std::move(list)));
}

PolicyNumber numberOf(const Value* value)
{
    return value && value->isNumber() ? PolicyNumber(value->asDouble()) : std::nullopt;
}

Value numberValue(double number)
{
    const bool isWhole = number == static_cast<double>(static_cast<std::int64_t>(number));
    return isWhole ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

void setNumber(ValueMap& settings, const char* key, PolicyNumber number)
{
    if (number)
        settings.set(Value(key), numberValue(*number));
    else
        settings.erase(Value(key));
}

} // namespace

NodePolicyForm::NodePolicyForm(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_rows(new BoundRows(document, this))
    , m_fold(new FoldButton(tr("Time, failures, results"), *m_rows, this))
{
    m_fold->setObjectName(QStringLiteral("nodePolicies"));
    addTime();
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

QString NodePolicyForm::setting(const char* key) const
{
    return settingText(node().settings.find(key));
}

void NodePolicyForm::addTime()
{
    m_rows->bindNumber(
        tr("Time limit"), tr("none; seconds"), kSeconds,
        [this] { return numberOf(node().settings.find("timeout_s")); },
        onNode(m_node, [](graph::Node& node, PolicyNumber number) {
            setNumber(node.settings, "timeout_s", number);
        }));
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
    m_rows->bindNames(
        tr("May go to"), tr("where its edges lead"), [this] { return namesOf(node().settings.find("ends")); },
        onNode(
            m_node,
            [](graph::Node& node, const BoundRows::Names& names) { setNames(node.settings, "ends", names); }),
        [this](const std::string& name) {
            return m_document.graph().findNode(NodeId(name)) || name == graph::kEnd
                ? QString()
                : tr("There is no node \"%1\".").arg(QString::fromStdString(name));
        });
    m_rows->bindNames(
        tr("Input"), tr("all channels; [] for none"), [this] { return node().input; },
        onNode(m_node, [](graph::Node& node, const BoundRows::Names& names) { node.input = names; }),
        [this](const std::string& name) {
            return m_document.graph().findChannel(name)
                ? QString()
                : tr("The state has no channel \"%1\".").arg(QString::fromStdString(name));
        });
    auto* calls = m_rows->bindNumber(
        tr("Runs"), tr("once"), { 0, 10'000, true },
        [this] { return numberOf(node().settings.find("calls")); },
        onNode(m_node,
               [](graph::Node& node, PolicyNumber count) { setNumber(node.settings, "calls", count); }));
    calls->setToolTip(tr("So many runs one after another; the result is a list."));
    m_rows->onFill([this, calls] { m_rows->setRowVisible(calls, node().kind == "subgraph"); });
}

void NodePolicyForm::addOthers()
{
    auto* packages = m_rows->bindProgram(
        tr("Packages"), 2,
        [this] {
            QStringList lines;
            for (const std::string& line :
                 namesOf(node().settings.find("requirements")).value_or(std::vector<std::string>()))
                lines << QString::fromStdString(line);
            return lines.join(QLatin1Char('\n'));
        },
        onNode(m_node, [](graph::Node& node, const QString& text) {
            BoundRows::Names names;
            for (const QString& line : text.split(QLatin1Char('\n')))
                if (!text.trimmed().isEmpty())
                    (names ? *names : names.emplace()).push_back(line.toStdString());
            setNames(node.settings, "requirements", names);
        }));
    packages->setToolTip(tr("One a line, as pip writes them; for a node with a session of its own."));
    auto* secrets = m_rows->bindNames(
        tr("Secrets"), tr("none of the graph's; [] for none"),
        [this] { return namesOf(node().settings.find("secrets")); },
        onNode(m_node,
               [](graph::Node& node, const BoundRows::Names& names) {
                   setNames(node.settings, "secrets", names);
               }),
        [](const std::string& name) {
            return graph::isSecretName(name) ? QString()
                                             : tr("\"%1\" is no name of a secret: a letter, then letters, "
                                                  "digits, \"_\" and \"-\".")
                                                   .arg(QString::fromStdString(name));
        });
    secrets->setToolTip(
        tr("Names that hosts are shown for this node alone; for a node with a session of its own."));
    m_rows->onFill([this, packages, secrets] {
        m_rows->setRowVisible(packages, node().kind == "python");
        m_rows->setRowVisible(secrets, node().kind == "python");
    });
    m_rows->bindObject(
        tr("Other keys"), kOtherLines, [this] { return othersOf(node()); },
        onNode(m_node, [](graph::Node& node, const ValueMap& others) {
            for (const auto& [key, value] : othersOf(node))
                node.settings.erase(key);
            for (const auto& [key, value] : others)
                if (key.isString() && !hasField(node, key.asString()))
                    node.settings.set(key, value);
        }));
}

} // namespace sg::ui
