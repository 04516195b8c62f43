#include "core/expressions/jq_programs.h"

#include "core/expressions/jq_value.h"
#include "core/expressions/libjq.h"
#include "core/expressions/program_shape.h"
#include "core/expressions/program_text.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace sg::expressions {

namespace {

constexpr std::size_t kMostInGroup = 100; // compile time grows faster than the number of programs

std::string takeText(jv value)
{
    std::string text(jv_string_value(value),
                     static_cast<std::size_t>(jv_string_length_bytes(jv_copy(value))));
    jv_free(value);
    return text;
}

void keepError(void* data, jv message)
{
    static_cast<std::vector<std::string>*>(data)->push_back(takeText(jq_format_error(message)));
}

// libjq 1.6 expects an input and a module path, and leaves the debug callback unset.
void dropMessage(void*, jv message)
{
    jv_free(message);
}

jv noInput(jq_state*, void*)
{
    return jv_invalid();
}

void forbidModules(jq_state* state)
{
    for (const char* origin : { "JQ_ORIGIN", "PROGRAM_ORIGIN" })
        jq_set_attr(state, jv_string(origin), jv_string("/"));
    jq_set_attr(state, jv_string("JQ_LIBRARY_PATH"), jv_array());
}

// Consumes `message`, the error that a program raised.
std::string errorText(jv message)
{
    if (jv_get_kind(message) == JV_KIND_STRING)
        return "jq: error: " + takeText(message);
    return "jq: error (not a string): " + takeText(jv_dump_string(message, 0));
}

} // namespace

struct JqPrograms::Group {
    jq_state* state = jq_init();
    std::vector<std::string> compileErrors;
    bool isShared = false;

    Group()
    {
        jq_set_error_cb(state, keepError, &compileErrors);
        jq_set_debug_cb(state, dropMessage, nullptr);
        jq_set_input_cb(state, noInput, nullptr);
        forbidModules(state);
    }
    ~Group() { jq_teardown(&state); }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    bool compile(const std::string& text) { return jq_compile(state, text.c_str()) != 0; }
};

JqPrograms::JqPrograms(std::vector<std::string> programs)
    : m_programs(std::move(programs))
    , m_slots(m_programs.size())
{
}

JqPrograms::~JqPrograms() = default;

Result<void> JqPrograms::prepare(std::size_t index)
{
    if (index >= m_slots.size())
        return Error{ Errc::InvalidArgument, "there is no jq program " + std::to_string(index) };
    Slot& slot = m_slots[index];
    if (slot.group == nullptr && !slot.problem) {
        const std::size_t first = index / kMostInGroup * kMostInGroup;
        std::vector<std::size_t> members;
        for (std::size_t i = first; i < std::min(first + kMostInGroup, m_slots.size()); ++i)
            if (canShareState(m_programs[i]))
                members.push_back(i);
        if (canShareState(m_programs[index]))
            compile(members);
        else
            compileAlone(index);
    }
    if (slot.problem)
        return Error{ Errc::InvalidArgument, "jq: " + *slot.problem };
    return {};
}

// Programs that the compiler blames are removed until the rest compiles.
void JqPrograms::compile(std::vector<std::size_t> members)
{
    while (members.size() > 1) {
        std::vector<std::string> texts;
        texts.reserve(members.size());
        for (const std::size_t index : members)
            texts.push_back(m_programs[index]);
        auto group = std::make_unique<Group>();
        if (group->compile(sharedText(texts))) {
            group->isShared = true;
            for (std::size_t i = 0; i < members.size(); ++i)
                m_slots[members[i]] = { group.get(), i, std::nullopt };
            m_groups.push_back(std::move(group));
            return;
        }
        std::set<std::size_t> blamed;
        for (const std::string& error : group->compileErrors)
            if (const auto place = programOfMessage(texts, error))
                blamed.insert(members[*place]);
        if (blamed.empty())
            return halve(members);
        for (const std::size_t index : blamed)
            compileAlone(index);
        std::erase_if(members, [&](std::size_t index) { return blamed.contains(index); });
    }
    for (const std::size_t index : members)
        compileAlone(index);
}

void JqPrograms::halve(const std::vector<std::size_t>& members)
{
    const auto middle = members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2);
    compile({ members.begin(), middle });
    compile({ middle, members.end() });
}

void JqPrograms::compileAlone(std::size_t index)
{
    Slot& slot = m_slots[index];
    if (m_programs[index].find('\0') != std::string::npos) {
        slot.problem = "the program holds a NUL character";
        return;
    }
    auto group = std::make_unique<Group>();
    if (!group->compile(m_programs[index])) {
        slot.problem = compileMessage(group->compileErrors.empty() ? "it does not compile"
                                                                   : group->compileErrors.front());
        return;
    }
    slot.group = group.get();
    m_groups.push_back(std::move(group));
}

Result<ValueList> JqPrograms::evaluate(std::size_t index, const Value& input, std::size_t mostOutputs)
{
    if (auto ready = prepare(index); !ready)
        return std::move(ready.error());
    const Slot& slot = m_slots[index];
    jq_state* state = slot.group->state;
    const jv converted = toJv(input);
    jq_start(state,
             slot.group->isShared ? JV_ARRAY(jv_number(static_cast<double>(slot.indexInGroup)), converted)
                                  : converted,
             0);
    ValueList outputs;
    jv result = jq_next(state);
    for (; jv_is_valid(result); result = jq_next(state)) {
        auto value = fromJv(result);
        if (!value)
            return std::move(value.error());
        if (outputs.size() == mostOutputs)
            return Error{ Errc::InvalidArgument,
                          "jq: error: more than " + std::to_string(mostOutputs) + " results" };
        outputs.push_back(std::move(*value));
    }
    if (jv_invalid_has_msg(jv_copy(result)))
        return Error{ Errc::InvalidArgument, errorText(jv_invalid_get_msg(result)) };
    jv_free(result);
    if (jq_halted(state) != 0) {
        const jv message = jq_get_error_message(state);
        if (jv_is_valid(message))
            return Error{ Errc::InvalidArgument, errorText(message) };
        jv_free(message);
    }
    return outputs;
}

std::vector<JqProblem> JqPrograms::check()
{
    std::vector<JqProblem> problems;
    // Thousands of nodes may differ only in a name or number: one program of each shape is compiled for all.
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const auto [first, isNew] = known.try_emplace(programShape(m_programs[i]), i);
        if (isNew)
            static_cast<void>(prepare(i));
        if (const Slot& slot = m_slots[first->second]; slot.problem)
            problems.push_back({ i, *slot.problem });
    }
    return problems;
}

} // namespace sg::expressions
