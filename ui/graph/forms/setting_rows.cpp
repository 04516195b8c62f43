#include "ui/graph/forms/setting_rows.h"

#include "core/graph/own_secrets.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/graph/forms/on_node.h"
#include "ui/graph/kind_look.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <algorithm>

namespace sg::ui {
namespace {

using SettingKey = std::string; // of a descriptor
using Names = BoundRows::Names;
using Type = graph::SettingType;

constexpr double kLeastSeconds = 0.001;
constexpr int kTextLines = 4;
constexpr int kPackageLines = 2;

Names namesOf(const Value* value)
{
    if (!value || !value->isList())
        return std::nullopt;
    Names names(std::in_place);
    for (const Value& name : value->asList())
        if (name.isString())
            names->push_back(name.asString());
    return names;
}

Value numberValue(double number)
{
    const bool isWhole = number == static_cast<double>(static_cast<std::int64_t>(number));
    return isWhole ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

Value listValue(const std::vector<std::string>& names)
{
    return Value(ValueList(names.begin(), names.end()));
}

// Makes the rows of one setting; it lives only while they are made.
class RowMaker {
public:
    RowMaker(BoundRows& rows, const GraphDocument& document, const NodeId& node,
             const graph::NodeSetting& setting)
        : m_rows(rows)
        , m_document(document)
        , m_node(node)
        , m_setting(setting)
        , m_label(translated(setting.label))
        , m_hint(translated(setting.hint.empty() ? setting.fallback : setting.hint))
    {
    }

    QWidget* make()
    {
        switch (m_setting.type) {
        case Type::Text:
        case Type::TextOrValue:
        case Type::Program:
        case Type::CodeFile:
        case Type::Function:
        case Type::ChannelName:
        case Type::Secret: return text();
        case Type::LongText: return longText();
        case Type::Packages: return packages();
        case Type::Count: return number(bounds(true));
        case Type::Number: return number(bounds(false));
        case Type::Seconds: return number({ kLeastSeconds, graph::kLongestSeconds, false });
        case Type::Flag: return flag();
        case Type::Word: return choice();
        case Type::Names: return names({});
        case Type::ChannelNames: return names(channelFault());
        case Type::NodeNames: return names(nodeFault());
        case Type::Secrets: return names(secretFault);
        case Type::Json: return json();
        }
        return nullptr;
    }

private:
    using FaultOf = std::function<QString(const std::string&)>;

    // Reads the node's setting; null if the node or the setting is absent.
    [[nodiscard]] auto reader() const
    {
        return [&document = m_document, &id = m_node, key = SettingKey(m_setting.key)]() -> const Value* {
            const graph::Node* node = document.graph().findNode(id);
            return node ? node->settings.find(key) : nullptr;
        };
    }

    // Writes what `valueOf` makes of the typed text; if that is nothing, it removes the key.
    template<typename ValueOf>
    [[nodiscard]] auto writer(ValueOf valueOf) const
    {
        return onNode(m_node,
                      [key = SettingKey(m_setting.key), valueOf](graph::Node& node, const auto& typed) {
                          if (std::optional<Value> value = valueOf(typed))
                              node.settings.set(key, *std::move(value));
                          else
                              node.settings.erase(Value(key));
                      });
    }

    static std::optional<Value> textValue(const QString& text)
    {
        return text.isEmpty() ? std::nullopt : std::optional<Value>(text.toStdString());
    }

    [[nodiscard]] BoundRows::Range bounds(bool isWhole) const
    {
        if (m_setting.most > m_setting.least)
            return { m_setting.least, m_setting.most, isWhole };
        return { -std::numeric_limits<double>::max(), std::numeric_limits<double>::max(), isWhole };
    }

    QWidget* text()
    {
        return m_rows.bindText(
            m_label, m_hint, [read = reader()] { return settingText(read()); }, writer(textValue));
    }

    QWidget* longText()
    {
        auto* field = m_rows.bindProgram(
            m_label, kTextLines, [read = reader()] { return settingText(read()); }, writer(textValue));
        field->setPlaceholderText(m_hint);
        return field;
    }

    QWidget* packages()
    {
        return m_rows.bindProgram(
            m_label, kPackageLines,
            [read = reader()] {
                QStringList lines;
                for (const std::string& line : namesOf(read()).value_or(std::vector<std::string>()))
                    lines << QString::fromStdString(line);
                return lines.join(QLatin1Char('\n'));
            },
            writer([](const QString& text) {
                std::vector<std::string> lines;
                for (const QString& line : text.split(QLatin1Char('\n')))
                    if (!line.trimmed().isEmpty())
                        lines.push_back(line.toStdString());
                return lines.empty() ? std::nullopt : std::optional(listValue(lines));
            }));
    }

    QWidget* number(const BoundRows::Range& range)
    {
        return m_rows.bindNumber(
            m_label, m_hint, range,
            [read = reader()] {
                const Value* now = read();
                return now && now->isNumber() ? std::optional(now->asDouble()) : std::nullopt;
            },
            writer([](const std::optional<double>& typed) {
                return typed ? std::optional(numberValue(*typed)) : std::nullopt;
            }));
    }

    QWidget* flag()
    {
        const bool usual = m_setting.fallback == "true";
        return m_rows.bindFlag(
            m_label, m_hint,
            [read = reader(), usual] {
                const Value* now = read();
                return now && now->isBool() ? now->asBool() : usual;
            },
            writer([usual](bool isOn) { return isOn == usual ? std::nullopt : std::optional<Value>(isOn); }));
    }

    // A missing key means the default word or, without a default, a choice of its own with the hint as text.
    QWidget* choice()
    {
        const std::span<const graph::SettingWord> words = m_setting.words;
        const int first = m_setting.fallback.empty() ? 1 : 0;
        QStringList labels;
        if (first > 0)
            labels << m_hint;
        for (const graph::SettingWord& word : words)
            labels << translated(word.label);
        const auto placeOf = [words, first](std::string_view word) {
            const auto found = std::ranges::find(words, word, &graph::SettingWord::word);
            return found == words.end() ? 0 : first + static_cast<int>(found - words.begin());
        };
        return m_rows.bindChoice(
            m_label, labels,
            [read = reader(), placeOf, usual = m_setting.fallback] {
                const Value* now = read();
                return placeOf(now && now->isString() ? std::string_view(now->asString()) : usual);
            },
            writer([words, first, usual = m_setting.fallback](int chosen) -> std::optional<Value> {
                if (chosen < first || words[static_cast<std::size_t>(chosen - first)].word == usual)
                    return std::nullopt;
                return Value(words[static_cast<std::size_t>(chosen - first)].word);
            }));
    }

    QWidget* names(const FaultOf& faultOf)
    {
        return m_rows.bindNames(
            m_label, m_hint, [read = reader()] { return namesOf(read()); }, writer([](const Names& typed) {
                return typed ? std::optional(listValue(*typed)) : std::nullopt;
            }),
            faultOf);
    }

    QWidget* json()
    {
        auto* field = m_rows.bindJson(
            m_label, kTextLines,
            [read = reader()] {
                const Value* now = read();
                return now ? std::optional(*now) : std::nullopt;
            },
            writer([](const std::optional<Value>& typed) { return typed; }));
        field->setPlaceholderText(m_hint);
        return field;
    }

    [[nodiscard]] FaultOf channelFault() const
    {
        return [&document = m_document](const std::string& name) { return unknownChannel(document, name); };
    }

    [[nodiscard]] FaultOf nodeFault() const
    {
        return [&document = m_document](const std::string& name) {
            return document.graph().findNode(NodeId(name)) || name == graph::kEnd
                ? QString()
                : BoundRows::tr("There is no node \"%1\".").arg(QString::fromStdString(name));
        };
    }

    static QString secretFault(const std::string& name)
    {
        return graph::isSecretName(name) ? QString()
                                         : BoundRows::tr("\"%1\" is no name of a secret: a letter, then "
                                                         "letters, digits, \"_\" and \"-\".")
                                               .arg(QString::fromStdString(name));
    }

    BoundRows& m_rows;
    const GraphDocument& m_document;
    const NodeId& m_node;
    const graph::NodeSetting& m_setting;
    const QString m_label;
    const QString m_hint;
};

} // namespace

QString unknownChannel(const GraphDocument& document, const std::string& name)
{
    return document.graph().findChannel(name)
        ? QString()
        : BoundRows::tr("The state has no channel \"%1\".").arg(QString::fromStdString(name));
}

QWidget* addSettingRow(BoundRows& rows, const GraphDocument& document, const NodeId& node,
                       const graph::NodeSetting& setting)
{
    QWidget* field = RowMaker(rows, document, node, setting).make();
    field->setToolTip(translated(setting.help));
    return field;
}

} // namespace sg::ui
