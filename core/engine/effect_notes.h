#pragma once

#include "core/base/result.h"
#include "core/engine/node_body.h"

#include <string>

namespace sg::engine {

// Remembers what tasks have begun outside that may do harm when it is done twice, so that a person is asked
// before a later run does it again without knowing whether it was done. Any thread.
class EffectNotes {
public:
    virtual ~EffectNotes() = default;

    // A run before this one began it, and nothing is known of its end.
    virtual Result<bool> isUncertain(const TaskInfo& task, const std::string& key) = 0;
    // Called before it is done.
    virtual Result<void> begin(const TaskInfo& task, const std::string& key) = 0;
    // It was done, and the task returns its result: it is known once that is stored.
    virtual void done(const TaskInfo& task, const std::string& key) = 0;
    // It failed, or was not begun: that is known at once.
    virtual void failed(const TaskInfo& task, const std::string& key) = 0;
};

// Asks the person, if the effect is uncertain, and notes that it begins. `what` names it for people.
enum class Consent {
    Given,
    Repeated, // also for the second time: the person was asked
    Refused, // it is not to be done
    Waits, // the body must end and return Interrupted
};
// `notes` may be null: nobody remembers.
Consent beginEffect(EffectNotes* notes, TaskContext& context, const std::string& key,
                    const std::string& what);

} // namespace sg::engine
