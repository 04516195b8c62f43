#pragma once

#include "core/expressions/jq_evaluator.h"

#include <memory>
#include <optional>

// The evaluation itself, on libjq: in the helper process, and in process for tests.
namespace sg::expressions {

// Programs share compiled states, since each state pays some 30 ms for jq's own library; a state is compiled
// when one of its programs is needed. One thread.
class JqPrograms {
public:
    explicit JqPrograms(std::vector<std::string> programs);
    ~JqPrograms();
    JqPrograms(const JqPrograms&) = delete;
    JqPrograms& operator=(const JqPrograms&) = delete;

    [[nodiscard]] std::size_t size() const { return m_programs.size(); }
    Result<void> prepare(std::size_t index); // compiles
    // `input` has passed checkJqInput().
    Result<ValueList> evaluate(std::size_t index, const Value& input, std::size_t mostOutputs);
    std::vector<JqProblem> check();

private:
    struct Group;
    struct Slot {
        Group* group = nullptr;
        std::size_t indexInGroup = 0;
        std::optional<std::string> problem; // it does not compile
    };

    void compile(std::vector<std::size_t> members);
    void halve(const std::vector<std::size_t>& members);
    void compileAlone(std::size_t index);

    std::vector<std::string> m_programs;
    std::vector<Slot> m_slots;
    std::vector<std::unique_ptr<Group>> m_groups;
};

} // namespace sg::expressions
