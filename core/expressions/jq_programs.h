#pragma once

#include "core/expressions/jq_evaluator.h"

#include <memory>
#include <optional>

// The evaluation on libjq, for the helper process and for tests.
namespace sg::expressions {

// Programs share compiled states, because each state spends some 30 ms on jq's own library. A state is
// compiled when one of its programs is needed. One thread may use it.
class JqPrograms {
public:
    explicit JqPrograms(std::vector<std::string> programs);
    ~JqPrograms();
    JqPrograms(const JqPrograms&) = delete;
    JqPrograms& operator=(const JqPrograms&) = delete;

    [[nodiscard]] std::size_t size() const { return m_programs.size(); }
    [[nodiscard]] std::string text(std::size_t index) const // empty where there is none
    {
        return index < m_programs.size() ? m_programs[index] : std::string();
    }
    Result<void> prepare(std::size_t index); // compiles
    // `input` must have passed checkJqInput().
    Result<ValueList> evaluate(std::size_t index, const Value& input, std::size_t mostOutputs);
    std::vector<JqProblem> check();

private:
    struct Group;
    struct Slot {
        Group* group = nullptr;
        std::size_t indexInGroup = 0;
        std::optional<std::string> problem; // why it does not compile
    };

    void compile(std::vector<std::size_t> members);
    void halve(const std::vector<std::size_t>& members);
    void compileAlone(std::size_t index);

    std::vector<std::string> m_programs;
    std::vector<Slot> m_slots;
    std::vector<std::unique_ptr<Group>> m_groups;
};

} // namespace sg::expressions
