#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/engine/node_body.h"

#include <string>
#include <string_view>
#include <vector>

namespace sg::workers {

// A file that the code of a task imports, in a folder of the project.
struct ModuleText {
    std::string folder; // "lib"
    std::string path; // in it
    std::string text;
};

// A task as it goes to a worker: all that its node needs, as the worker has no project.
struct TaskMessage {
    engine::TaskInfo info;
    engine::TaskPlace place;
    ValueMap settings; // of the node
    std::string source; // its code file
    std::vector<ModuleText> modules;
    std::vector<std::string> requirements; // of the graph
    Value input;
    Value config;
    Value runContext;
    ValueList answers;
    Value wish; // what the graph's "roles" asks for this role
    double seconds = 0; // the graph's time limit for a node without one; 0: none

    // The digest is the same for the same work, whichever run and process it is done for.
    [[nodiscard]] std::string digest() const;
};
std::string encode(const TaskMessage& message);
// Errc::Corrupt: it is not such a message. What it says is checked by who uses it.
Result<TaskMessage> decodeTask(std::string_view bytes);

// A file that the task left as an artifact.
struct LeftArtifact {
    std::string path;
    std::int64_t modifiedNs = 0;
    std::string parcel; // see parcel.h
};

// Output of the task, in its order.
struct ToldLine {
    char kind = 'o'; // o: stdout, e: stderr, v: event, c: custom
    Value content;
};

// Output that is sent while the task runs.
std::string encode(const std::vector<ToldLine>& told);
std::vector<ToldLine> decodeTold(std::string_view bytes); // empty: it is none

// A worker sends this back.
struct TaskReply {
    engine::NodeOutcome outcome;
    Value question; // of an interrupt
    int answersUsed = 0;
    double waitedSeconds = 0;
    std::vector<ToldLine> told;
    std::vector<LeftArtifact> artifacts;
};
std::string encode(const TaskReply& reply);
Result<TaskReply> decodeReply(std::string_view bytes);

} // namespace sg::workers
