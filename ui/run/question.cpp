#include "ui/run/question.h"

#include "core/base/json.h"

#include <QObject>

#include <algorithm>
#include <array>
#include <utility>

namespace sg::ui {
namespace {

constexpr qsizetype kLongestText = 2000;
constexpr std::size_t kMostAnswers = 6;
constexpr qsizetype kLongestAnswer = 40; // longer ones do not fit on a button

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

Question::Kind kindOf(const QString& label)
{
    static const QStringList kYes{ QStringLiteral("approve"), QStringLiteral("approved"),
                                   QStringLiteral("accept"),  QStringLiteral("yes"),
                                   QStringLiteral("ok"),      QStringLiteral("send"),
                                   QStringLiteral("true"),    QStringLiteral("continue") };
    static const QStringList kNo{ QStringLiteral("reject"), QStringLiteral("rejected"),
                                  QStringLiteral("no"),     QStringLiteral("deny"),
                                  QStringLiteral("cancel"), QStringLiteral("false"),
                                  QStringLiteral("ignore") };
    const QString word = label.trimmed().toLower();
    return kYes.contains(word) ? Question::Kind::Approve
        : kNo.contains(word)   ? Question::Kind::Reject
                               : Question::Kind::Other;
}

QString json(const Value& value)
{
    return QString::fromStdString(toJson(value));
}

// LangChain's description repeats the tool and its arguments below the words that were chosen for it.
std::string wordsOf(const std::string& description, const std::string& tool)
{
    constexpr std::string_view kUsual = "Tool execution requires approval";
    std::string words = description.substr(0, description.find("\n\nTool: " + tool + "\nArgs: "));
    return words == kUsual ? std::string() : words;
}

void describeCall(const Value& call, const char* nameKey, Question& out)
{
    out.tool = QString::fromStdString(call.stringOr(nameKey, "")).left(kLongestText);
    const std::string told = wordsOf(call.stringOr("description", ""), call.stringOr(nameKey, ""));
    out.headline = told.empty() ? QObject::tr("Run %1?").arg(out.tool) : shown(Value(told));
    if (const Value* arguments = call.find("args")) {
        out.arguments = *arguments;
        if (!out.tool.isEmpty())
            out.details << QObject::tr("tool: %1").arg(out.tool);
        out.details << QObject::tr("arguments: %1").arg(shown(*arguments));
    }
}

// Arguments that can be changed are fields, not a text.
void offerFields(Question& out)
{
    if (!out.arguments.isMap() || out.arguments.asMap().empty())
        return;
    out.fields = answerForm({}, out.arguments);
    out.details.removeIf(
        [](const QString& detail) { return detail.startsWith(QObject::tr("arguments: %1").arg(QString())); });
}

bool allows(const Value& asked, const char* decision)
{
    const Value* configs = asked.find("review_configs");
    if (configs == nullptr || !configs->isList() || configs->asList().empty())
        return true;
    const Value* allowed = configs->asList().front().find("allowed_decisions");
    return allowed == nullptr || !allowed->isList()
        || std::ranges::find(allowed->asList(), Value(decision)) != allowed->asList().end();
}

// Reads {"action_requests": [{"name", "args", "description"}], "review_configs": [{"allowed_decisions"}]}.
bool takeDecisions(const Value& asked, Question& out)
{
    const Value* requests = asked.find("action_requests");
    if (requests == nullptr || !requests->isList() || requests->asList().size() != 1)
        return false;
    out.form = Question::Form::Decisions;
    describeCall(requests->asList().front(), "name", out);
    const auto decide = [](const char* type) {
        return json(Value::map({ { "decisions", Value::list({ Value::map({ { "type", type } }) }) } }));
    };
    if (allows(asked, "approve"))
        out.answers.push_back({ QObject::tr("Approve"), decide("approve"), Question::Kind::Approve });
    if (allows(asked, "reject"))
        out.answers.push_back({ QObject::tr("Reject"), decide("reject"), Question::Kind::Reject });
    if (!allows(asked, "edit"))
        out.arguments = Value();
    offerFields(out);
    return true;
}

// Several calls of one turn: each gets the same decision; another is given as JSON.
bool takeManyDecisions(const Value& asked, Question& out)
{
    const Value* requests = asked.find("action_requests");
    if (requests == nullptr || !requests->isList() || requests->asList().size() < 2)
        return false;
    const std::size_t count = requests->asList().size();
    out.headline = QObject::tr("Run these %1 calls?").arg(count);
    for (const Value& request : requests->asList())
        out.details << QStringLiteral("%1 %2").arg(shown(request["name"]),
                                                   json(request["args"]).left(kLongestText));
    const auto all = [&](const char* type, const QString& label, Question::Kind kind) {
        const Value& configs = asked["review_configs"];
        for (std::size_t i = 0; configs.isList() && i < configs.asList().size(); ++i)
            if (const Value& allowed = configs.asList()[i]["allowed_decisions"]; allowed.isList()
                && std::ranges::find(allowed.asList(), Value(type)) == allowed.asList().end())
                return;
        const ValueList decisions(count, Value::map({ { "type", type } }));
        out.answers.push_back({ label, json(Value::map({ { "decisions", Value(decisions) } })), kind });
    };
    all("approve", QObject::tr("Approve all"), Question::Kind::Approve);
    all("reject", QObject::tr("Reject all"), Question::Kind::Reject);
    return true;
}

// Reads [{"action_request": {"action", "args"}, "config": {"allow_accept", …}, "description"}].
bool takeResponses(const Value& asked, Question& out)
{
    const Value& first = asked.isList() && asked.asList().size() == 1 ? asked.asList().front() : asked;
    const Value* request = first.find("action_request");
    if (request == nullptr || !request->isMap())
        return false;
    out.form = Question::Form::Responses;
    describeCall(*request, "action", out);
    if (const std::string told = first.stringOr("description", ""); !told.empty())
        out.headline = shown(Value(told));
    const Value& config = first["config"];
    const auto respond = [](const char* type) {
        return json(Value::list({ Value::map({ { "type", type }, { "args", Value() } }) }));
    };
    if (config.boolOr("allow_accept", true))
        out.answers.push_back({ QObject::tr("Approve"), respond("accept"), Question::Kind::Approve });
    if (config.boolOr("allow_ignore", true))
        out.answers.push_back({ QObject::tr("Ignore"), respond("ignore"), Question::Kind::Reject });
    if (!config.boolOr("allow_edit", true))
        out.arguments = Value();
    offerFields(out);
    return true;
}

bool takeRequest(const Value& asked, Question& out)
{
    return takeDecisions(asked, out) || takeManyDecisions(asked, out) || takeResponses(asked, out);
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
        out.push_back({ label, QString::fromStdString(toJson(each)), kindOf(label) });
    }
    return out;
}

// Reads how core's human nodes ask for a form, a change, or one of many.
void takeFields(const Value& asked, Question& out)
{
    const Value& schema = asked["schema"];
    const Value* value = asked.find("value");
    const bool isChange = value != nullptr && std::ranges::all_of(asked.asMap(), [](const auto& entry) {
                              return entry.first == Value("value") || entry.first == Value("problem")
                                  || entry.first == Value("schema")
                                  || (entry.first.isString() && isHeadline(entry.first.asString()));
                          });
    if (schema.isMap() || (isChange && asked.asMap().size() > 1))
        out.fields = answerForm(schema.isMap() ? schema : Value(), value != nullptr ? *value : Value());
    for (const char* name : { "answers", "options", "choices" })
        if (const Value& answers = asked[name];
            out.fields.fields.empty() && answers.isList() && answers.asList().size() > kMostAnswers)
            out.fields = answerForm(Value::map({ { "title", "Answer" }, { "enum", answers } }), {});
}

bool isOfFields(const std::string& name)
{
    return isOneOf(name, std::array{ "schema", "value", "answers", "options", "choices" });
}

} // namespace

Question question(const Value& asked)
{
    Question out;
    if (takeRequest(asked, out))
        return out;
    if (asked.isMap())
        takeFields(asked, out);
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
        if (name == "problem" && value.isString() && asked.asMap().size() > 1) {
            out.problem = shown(value);
            continue;
        }
        if (!out.fields.fields.empty() && isOfFields(name))
            continue;
        if (out.answers.empty()) {
            out.answers = answersIn(name, value);
            if (!out.answers.empty())
                continue;
        }
        out.details << QString::fromStdString(name).left(kLongestText) + QStringLiteral(": ") + shown(value);
    }
    return out;
}

std::vector<SharedAnswer> sharedAnswers(const std::vector<Question>& questions)
{
    std::vector<SharedAnswer> shared;
    const auto gather = [&questions, &shared](SharedAnswer made, const auto& isIt, bool byAll) {
        for (const Question& each : questions) {
            const auto found = std::ranges::find_if(each.answers, isIt);
            made.json << (found == each.answers.end() ? QString() : found->json);
            made.count += found == each.answers.end() ? 0 : 1;
        }
        if (made.count > 0 && (!byAll || made.count == static_cast<int>(questions.size())))
            shared.push_back(std::move(made));
    };
    for (const auto& [kind, label] : { std::pair(Question::Kind::Approve, QObject::tr("Approve")),
                                       std::pair(Question::Kind::Reject, QObject::tr("Reject")) })
        gather(
            { label, kind, {}, 0 },
            [kind = kind](const Question::Answer& answer) { return answer.kind == kind; }, false);
    if (questions.empty())
        return shared;
    for (const Question::Answer& first : questions.front().answers)
        if (first.kind == Question::Kind::Other)
            gather(
                { first.label, first.kind, {}, 0 },
                [&first](const Question::Answer& answer) { return answer.label == first.label; }, true);
    return shared;
}

QString typedAnswer(const Question& question, const QString& typed)
{
    const std::string text = typed.toStdString();
    switch (question.form) {
    case Question::Form::Free: break;
    case Question::Form::Decisions:
        return json(Value::map(
            { { "decisions",
                Value::list({ Value::map({ { "type", "reject" }, { "message", Value(text) } }) }) } }));
    case Question::Form::Responses:
        return json(Value::list({ Value::map({ { "type", "response" }, { "args", Value(text) } }) }));
    }
    // Text needs no quotes; text that is JSON already is sent unchanged.
    return parseJson(text) ? typed : json(Value(text));
}

QString editedAnswer(const Question& question, const Value& arguments)
{
    const Value tool(question.tool.toStdString());
    if (question.form == Question::Form::Decisions)
        return json(Value::map(
            { { "decisions",
                Value::list(
                    { Value::map({ { "type", "edit" },
                                   { "edited_action",
                                     Value::map({ { "name", tool }, { "args", arguments } }) } }) }) } }));
    return json(Value::list({ Value::map(
        { { "type", "edit" }, { "args", Value::map({ { "action", tool }, { "args", arguments } }) } }) }));
}

} // namespace sg::ui
