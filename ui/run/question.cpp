#include "ui/run/question.h"

#include "core/base/json.h"

#include <algorithm>
#include <array>

namespace sg::ui {
namespace {

constexpr qsizetype kLongestText = 2000;
constexpr std::size_t kMostAnswers = 6;
constexpr qsizetype kLongestAnswer = 40; // more does not fit a button

QString shown(const Value& value)
{
    const std::string text = value.isString() ? value.asString() : toJson(value, JsonStyle::Indented);
    return QString::fromStdString(text).left(kLongestText);
}

template<std::size_t n>
bool isOneOf(const std::string& name, const std::array<const char*, n>& names)
{
    return std::ranges::find(names, name) != names.end();
}

bool isHeadline(const std::string& name)
{
    return isOneOf(name, std::array{ "question", "message", "prompt" });
}

std::vector<Question::Answer> answersIn(const std::string& name, const Value& value)
{
    std::vector<Question::Answer> out;
    if (!isOneOf(name, std::array{ "answers", "options", "choices" }) || !value.isList()
        || value.asList().size() > kMostAnswers)
        return out;
    for (const Value& each : value.asList()) {
        const bool isPlain = !each.isMap() && !each.isList() && !each.isNull();
        const QString label = isPlain ? shown(each) : QString();
        if (label.trimmed().isEmpty() || label.size() > kLongestAnswer || label.contains(QLatin1Char('\n')))
            return {};
        out.push_back({ label, QString::fromStdString(toJson(each)) });
    }
    return out;
}

} // namespace

Question question(const Value& asked)
{
    Question out;
    if (!asked.isMap()) {
        out.headline = shown(asked);
        return out;
    }
    for (const auto& [key, value] : asked.asMap()) {
        const std::string name = key.isString() ? key.asString() : toJson(key);
        if (out.headline.isEmpty() && isHeadline(name) && value.isString()) {
            out.headline = shown(value);
            continue;
        }
        if (out.answers.empty()) {
            out.answers = answersIn(name, value);
            if (!out.answers.empty())
                continue;
        }
        out.details << QString::fromStdString(name).left(kLongestText) + QStringLiteral(": ") + shown(value);
    }
    return out;
}

} // namespace sg::ui
