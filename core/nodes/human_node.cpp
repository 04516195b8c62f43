#include "core/nodes/human_node.h"

#include "core/base/json.h"
#include "core/models/json_schema.h"
#include "core/nodes/jq_node.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sg::nodes {
namespace {

class HumanBody final : public engine::NodeBody {
public:
    HumanBody(std::shared_ptr<JqPrograms> programs, HumanQuestion question)
        : m_programs(std::move(programs))
        , m_question(std::move(question.question))
        , m_channel(std::move(question.channel))
        , m_form(question.form)
        , m_answers(std::move(question.answers))
        , m_edits(std::move(question.edits))
        , m_schema(std::move(question.schema))
    {
        if (!question.program.empty())
            m_program = m_programs->add(std::move(question.program));
    }

    // Asking ends the task at once, but a program may compute until its deadline.
    [[nodiscard]] bool mayBlock() const override { return m_program.has_value(); }

    engine::NodeOutcome run(engine::TaskContext& context) override
    {
        Value question = m_question;
        if (m_program) {
            auto made = m_programs->evaluate(*m_program, context.input());
            if (!made)
                return jqFailure(made.error());
            question = std::move(*made);
        }
        question = inForm(std::move(question), context.input());
        std::optional<Value> answer;
        for (std::string problem; !answer;) {
            Value asked = question;
            if (!problem.empty())
                asked.editMap().set("problem", problem);
            auto given = context.interrupt(asked);
            if (!given)
                return engine::Interrupted{};
            auto accepted = accept(std::move(*given), context.input());
            if (accepted)
                answer = std::move(*accepted);
            else
                problem = accepted.error().message;
        }
        if (!m_channel.empty())
            return engine::Returned{ Value(ValueMap{ { m_channel, std::move(*answer) } }) };
        if (answer->isMap() || answer->isNull())
            return engine::Returned{ std::move(*answer) };
        return engine::Failure{
            "TypeError", "the answer must be an object of channels, because the node names no \"channel\""
        };
    }

private:
    // The question with what shows how it is to be answered, for the inbox.
    [[nodiscard]] Value inForm(Value question, const Value& input) const
    {
        if (m_form == HumanQuestion::Form::Any)
            return question;
        if (!question.isMap())
            question = Value::map({ { "question", std::move(question) } });
        ValueMap& map = question.editMap();
        switch (m_form) {
        case HumanQuestion::Form::Any: break;
        case HumanQuestion::Form::Approve: map.set("answers", Value::list({ "yes", "no" })); break;
        case HumanQuestion::Form::Choose: map.set("answers", m_answers); break;
        case HumanQuestion::Form::Edit: map.set("value", input[m_edits]); [[fallthrough]];
        case HumanQuestion::Form::Form:
            if (!m_schema.isNull())
                map.set("schema", m_schema);
            break;
        }
        return question;
    }

    // The answer as it is written; an error says what is wrong with it.
    [[nodiscard]] Result<Value> accept(Value answer, const Value& input) const
    {
        const auto wrong = [](std::string what) { return Error{ Errc::InvalidArgument, std::move(what) }; };
        switch (m_form) {
        case HumanQuestion::Form::Any: return answer;
        case HumanQuestion::Form::Approve:
            for (const Value& yes : { Value("yes"), Value(true), Value("approve") })
                if (answer == yes)
                    return Value(true);
            for (const Value& no : { Value("no"), Value(false), Value("reject") })
                if (answer == no)
                    return Value(false);
            return wrong("the answer must be yes or no");
        case HumanQuestion::Form::Choose:
            if (std::ranges::find(m_answers, answer) != m_answers.end())
                return answer;
            return wrong("the answer must be one of " + toJson(Value(m_answers), JsonStyle::Spaced));
        case HumanQuestion::Form::Edit:
            if (m_schema.isNull()) {
                const Value& before = input[m_edits];
                const bool isSameKind = before.isNull() || before.kind() == answer.kind()
                    || (before.isNumber() && answer.isNumber());
                if (!isSameKind)
                    return wrong("the answer must be of the same kind as what is edited");
            }
            break;
        case HumanQuestion::Form::Form: break;
        }
        if (!m_schema.isNull())
            if (auto why = models::schemaMismatch(m_schema, answer))
                return wrong("the answer does not fit: " + *why);
        return answer;
    }

    const std::shared_ptr<JqPrograms> m_programs;
    std::optional<std::size_t> m_program; // constant after construction
    const Value m_question;
    const std::string m_channel;
    const HumanQuestion::Form m_form;
    const ValueList m_answers;
    const std::string m_edits;
    const Value m_schema;
};

} // namespace

std::unique_ptr<engine::NodeBody> makeHumanBody(std::shared_ptr<JqPrograms> programs, HumanQuestion question)
{
    return std::make_unique<HumanBody>(std::move(programs), std::move(question));
}

} // namespace sg::nodes
