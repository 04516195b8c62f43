#include "ui/graph/forms/agent_rows.h"

#include "core/base/json.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/forms/on_node.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLineEdit>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace sg::ui {
namespace {

struct KnownTool {
    const char* name;
    const char* does;
};
constexpr std::array kSandboxTools{
    KnownTool{ "list_datasets", QT_TRANSLATE_NOOP("sg::ui::NodeForm", "what may be read") },
    KnownTool{ "select_dataset", QT_TRANSLATE_NOOP("sg::ui::NodeForm", "brings one in") },
    KnownTool{ "code_sandbox", QT_TRANSLATE_NOOP("sg::ui::NodeForm", "runs Python in the session") },
    KnownTool{ "export_datasets", QT_TRANSLATE_NOOP("sg::ui::NodeForm", "gives a file out") },
};

QString agentWords(const char* text)
{
    return QCoreApplication::translate("sg::ui::NodeForm", text);
}

// Returns the source that an entry of "tools" names: "code_sandbox", "nodes/tools.py:add", "mcp:notes".
std::string sourceOf(const Value& entry)
{
    if (entry.isString())
        return entry.asString();
    if (const Value& tool = entry["tool"]; tool.isString())
        return tool.asString();
    return entry.stringOr("name", toJson(entry));
}

// The name by which the model knows it, as far as the file tells; empty: it is several, or unknown.
std::string knownAs(const Value& entry)
{
    if (const std::string own = entry.stringOr("name", ""); !own.empty())
        return own;
    const std::string source = sourceOf(entry);
    if (source.starts_with("mcp:")) {
        std::string name = source.substr(4);
        const std::size_t slash = name.find('/');
        if (slash == std::string::npos)
            return {};
        name[slash] = '_';
        return name;
    }
    const std::size_t colon = source.find(".py:");
    if (colon != std::string::npos)
        return source.substr(colon + 4);
    return source.ends_with(".py") ? std::string() : source;
}

ValueList toolsOf(const graph::Node& node)
{
    const Value* tools = node.settings.find("tools");
    return tools != nullptr && tools->isList() ? tools->asList() : ValueList();
}

// Below a setting that is an object; absent where nothing is left in it.
void setWithin(graph::Node& node, const std::string& key, const std::string& part, std::optional<Value> value)
{
    const Value* now = node.settings.find(key);
    ValueMap map = now != nullptr && now->isMap() ? now->asMap() : ValueMap();
    if (value)
        map.set(part, *std::move(value));
    else
        map.erase(Value(part));
    if (map.empty())
        node.settings.erase(Value(key));
    else
        node.settings.set(key, Value(std::move(map)));
}

// Makes the rows of one setting; it lives only while they are made.
class AgentRowMaker {
public:
    AgentRowMaker(BoundRows& rows, GraphDocument& document, const NodeId& node)
        : m_rows(rows)
        , m_document(document)
        , m_node(node)
    {
    }

    void addBudget()
    {
        m_rows.addHeading(agentWords("Budget of one run"));
        addNumber("turns", agentWords("Turns"), agentWords("100"), { 1, 1e9, true });
        addNumber("tokens", agentWords("Tokens"), agentWords("any number"), { 1, 1e15, true });
        addNumber("cost", agentWords("Cost, US dollars"), agentWords("any; needs prices"), { 0, 1e9, false });
        addNumber("seconds", agentWords("Seconds"), agentWords("any time"), { 0.001, 1e9, false });
        m_rows.bindChoice(
            agentWords("Used up"), { agentWords("the node fails"), agentWords("ends with a last message") },
            [read = within("budget", "then")] {
                const Value* now = read();
                return now != nullptr && *now == Value("end") ? 1 : 0;
            },
            onNode(m_node, [](graph::Node& node, int chosen) {
                setWithin(node, "budget", "then", chosen == 1 ? std::optional<Value>("end") : std::nullopt);
            }));
    }

    void addPermissions()
    {
        m_rows.addHeading(agentWords("May use"));
        addAllowed("tools", agentWords("Tools"));
        addAllowed("datasets", agentWords("Datasets"));
        addAllowed("hosts", agentWords("Hosts"));
    }

    void addTools()
    {
        m_rows.addHeading(agentWords("Tools"));
        const graph::Node* node = m_document.graph().findNode(m_node);
        const ValueList tools = node != nullptr ? toolsOf(*node) : ValueList();
        for (const KnownTool& known : kSandboxTools)
            addTool(known.name, known.name, agentWords(known.does));
        for (const Value& tool : tools) {
            const std::string source = sourceOf(tool);
            if (std::ranges::none_of(kSandboxTools,
                                     [&](const KnownTool& known) { return source == known.name; }))
                addTool(source, knownAs(tool), QString::fromStdString(tool.stringOr("description", "")));
        }
        addNewTool();
    }

private:
    [[nodiscard]] std::function<const Value*()> within(const std::string& key, const std::string& part) const
    {
        return [&document = m_document, &id = m_node, key, part]() -> const Value* {
            const graph::Node* node = document.graph().findNode(id);
            const Value* whole = node != nullptr ? node->settings.find(key) : nullptr;
            return whole != nullptr ? whole->find(part) : nullptr;
        };
    }

    void addNumber(const char* part, const QString& title, const QString& usual,
                   const BoundRows::Range& range)
    {
        m_rows.bindNumber(
            title, usual, range,
            [read = within("budget", part)] {
                const Value* now = read();
                return now != nullptr && now->isNumber() ? std::optional(now->asDouble()) : std::nullopt;
            },
            onNode(m_node, [part = std::string(part)](graph::Node& node, const std::optional<double>& typed) {
                std::optional<Value> value;
                if (typed && *typed == static_cast<double>(static_cast<std::int64_t>(*typed)))
                    value = Value(static_cast<std::int64_t>(*typed));
                else if (typed)
                    value = Value(*typed);
                setWithin(node, "budget", part, std::move(value));
            }));
    }

    void addAllowed(const char* part, const QString& title)
    {
        m_rows.bindNames(
            title, agentWords("all; [] for none"),
            [read = within("permissions", part)]() -> BoundRows::Names {
                const Value* now = read();
                if (now == nullptr || !now->isList())
                    return std::nullopt;
                BoundRows::Names names(std::in_place);
                for (const Value& name : now->asList())
                    if (name.isString())
                        names->push_back(name.asString());
                return names;
            },
            onNode(m_node, [part = std::string(part)](graph::Node& node, const BoundRows::Names& names) {
                setWithin(node, "permissions", part,
                          names ? std::optional<Value>(ValueList(names->begin(), names->end()))
                                : std::nullopt);
            }));
    }

    // Offered or not, and whether a person looks at its calls: never, always, or when a program says so.
    void addTool(const std::string& source, const std::string& name, const QString& does)
    {
        auto* field = new QWidget(&m_rows);
        auto* row = new QHBoxLayout(field);
        row->setContentsMargins(0, 0, 0, 0);
        const QString title = QString::fromStdString(source);
        auto* offered = new QCheckBox(does, field);
        offered->setToolTip(does);
        offered->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // its words give way first
        offered->setMinimumWidth(scaledLength(24));
        offered->setAccessibleName(agentWords("Offer %1").arg(title));
        auto* asks = new QComboBox(field);
        asks->addItems({ agentWords("asks never"), agentWords("asks always"), agentWords("asks when") });
        asks->setAccessibleName(agentWords("Whether a person looks at calls of %1").arg(title));
        auto* when = new QLineEdit(field);
        when->setPlaceholderText(agentWords("jq: .args.rows > 1000"));
        when->setAccessibleName(agentWords("When a person looks at calls of %1").arg(title));
        when->setFont(monoFont(TextSize::Small));
        for (QWidget* each : { static_cast<QWidget*>(asks), static_cast<QWidget*>(when) })
            makeDense(each);
        row->addWidget(offered, 1);
        row->addWidget(asks);
        row->addWidget(when, 1);
        m_rows.addRow(title, field);
        GraphDocument& document = m_document;
        const NodeId& id = m_node;
        QObject::connect(offered, &QCheckBox::clicked, field, [&document, &id, source](bool isOn) {
            document.edit(agentWords("Tools of %1").arg(QString::fromStdString(id.value)),
                          [&](graph::Graph& graph) {
                              if (graph::Node* node = nodeIn(graph, id))
                                  offer(*node, source, isOn);
                          });
        });
        const auto review = [&document, &id, name, asks, when] {
            const int kind = asks->currentIndex();
            const std::string program = when->text().trimmed().toStdString();
            document.edit(agentWords("Review of %1").arg(QString::fromStdString(name)),
                          [&](graph::Graph& graph) {
                              if (graph::Node* node = nodeIn(graph, id))
                                  setReview(*node, name, kind, program);
                          });
        };
        QObject::connect(asks, &QComboBox::activated, field, [review, when](int kind) {
            when->setVisible(kind == 2);
            if (kind == 2)
                when->setFocus();
            if (kind != 2 || !when->text().trimmed().isEmpty())
                review();
        });
        QObject::connect(when, &QLineEdit::editingFinished, field, [review, when, asks] {
            if (asks->currentIndex() == 2 && !when->text().trimmed().isEmpty())
                review();
        });
        m_rows.onFill([&document, &id, source, name, fields = ToolFields{ offered, asks, when }] {
            if (const graph::Node* node = document.graph().findNode(id))
                fillTool(*node, source, name, fields);
        });
    }

    struct ToolFields {
        QCheckBox* offered;
        QComboBox* asks;
        QLineEdit* when;
    };
    static void fillTool(const graph::Node& node, const std::string& source, const std::string& name,
                         const ToolFields& fields)
    {
        const ValueList tools = toolsOf(node);
        fields.offered->setChecked(
            std::ranges::any_of(tools, [&](const Value& each) { return sourceOf(each) == source; }));
        const Value* whole = node.settings.find("review");
        const Value rule = whole != nullptr ? (*whole)["tools"][name] : Value();
        const std::string program = rule.stringOr("when", "");
        fields.asks->setVisible(!name.empty());
        fields.asks->setCurrentIndex(!program.empty() ? 2 : rule.isMap() || rule == Value(true) ? 1 : 0);
        showText(*fields.when, QString::fromStdString(program));
        fields.when->setVisible(!program.empty());
    }

    static void offer(graph::Node& node, const std::string& source, bool isOn)
    {
        ValueList tools = toolsOf(node);
        std::erase_if(tools, [&source](const Value& each) { return sourceOf(each) == source; });
        if (isOn)
            tools.emplace_back(source);
        if (tools.empty())
            node.settings.erase(Value("tools"));
        else
            node.settings.set("tools", Value(std::move(tools)));
    }

    static void setReview(graph::Node& node, const std::string& tool, int kind, const std::string& program)
    {
        const Value* review = node.settings.find("review");
        const Value before = review != nullptr ? (*review)["tools"] : Value();
        ValueMap rules = before.isMap() ? before.asMap() : ValueMap();
        const Value* known = rules.find(tool);
        ValueMap rule = known != nullptr && known->isMap() ? known->asMap() : ValueMap(); // what else it says
        rule.erase(Value("when"));
        if (kind == 2)
            rule.set("when", program);
        if (kind == 0)
            rules.erase(Value(tool));
        else
            rules.set(tool, rule.empty() ? Value(true) : Value(std::move(rule)));
        setWithin(node, "review", "tools",
                  rules.empty() ? std::nullopt : std::optional<Value>(std::move(rules)));
    }

    void addNewTool()
    {
        auto* field = new QLineEdit(&m_rows);
        field->setPlaceholderText(agentWords("nodes/tools.py:add or mcp:SERVER, then Enter"));
        field->setAccessibleName(agentWords("Add a tool"));
        makeDense(field);
        m_rows.addRow(agentWords("Add a tool"), field);
        GraphDocument& document = m_document;
        const NodeId& id = m_node;
        QObject::connect(field, &QLineEdit::returnPressed, field, [&document, &id, field] {
            const std::string source = field->text().trimmed().toStdString();
            if (source.empty())
                return;
            field->clear();
            document.edit(agentWords("Tools of %1").arg(QString::fromStdString(id.value)),
                          [&](graph::Graph& graph) {
                              if (graph::Node* node = nodeIn(graph, id))
                                  offer(*node, source, true);
                          });
        });
    }

    BoundRows& m_rows;
    GraphDocument& m_document;
    const NodeId& m_node;
};

} // namespace

bool addAgentRows(BoundRows& rows, GraphDocument& document, const NodeId& node,
                  const graph::NodeSetting& setting)
{
    AgentRowMaker maker(rows, document, node);
    if (setting.key == "tools")
        maker.addTools();
    else if (setting.key == "permissions")
        maker.addPermissions();
    else if (setting.key == "budget")
        maker.addBudget();
    else
        return false;
    return true;
}

std::string agentShape(const graph::Node& node)
{
    std::string shape;
    if (node.kind == graph::kAgentKind)
        for (const Value& tool : toolsOf(node))
            if (const std::string source = sourceOf(tool); std::ranges::none_of(
                    kSandboxTools, [&](const KnownTool& known) { return source == known.name; }))
                shape += "|" + source;
    return shape;
}

} // namespace sg::ui
