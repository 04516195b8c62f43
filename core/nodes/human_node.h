#pragma once

#include "core/base/value.h"
#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"

#include <memory>
#include <string>

namespace sg::nodes {

// Asks a person `question`, or the output of `program` for the node's input, and writes the answer to
// `channel`; without a channel the answer is the update. An answer that does not fit is asked for again.
struct HumanQuestion {
    enum class Form {
        Any, // whatever is answered
        Approve, // yes or no; the answer is true or false
        Choose, // one of `answers`
        Edit, // what `edits` holds, changed
        Form, // what matches `schema`
    };
    Value question;
    std::string program; // jq; "": none
    std::string channel;
    Form form = Form::Any;
    ValueList answers{};
    std::string edits{}; // a channel
    Value schema{}; // a JSON Schema, also for Edit; null: none
};
std::unique_ptr<engine::NodeBody> makeHumanBody(std::shared_ptr<JqPrograms> programs, HumanQuestion question);

} // namespace sg::nodes
