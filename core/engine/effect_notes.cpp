#include "core/engine/effect_notes.h"

namespace sg::engine {

Consent beginEffect(EffectNotes* notes, TaskContext& context, const std::string& key, const std::string& what)
{
    if (notes == nullptr)
        return Consent::Given;
    Consent consent = Consent::Given;
    const auto uncertain = notes->isUncertain(context.info(), key);
    if (uncertain && *uncertain) {
        const auto answer = context.interrupt(Value::map(
            { { "question",
                what
                    + " was begun, and the run ended before its result was stored: it may have been done. "
                      "true: do it again; false: go on without its result" },
              { "uncertain", what },
              { "idempotency_key", key } }));
        if (!answer)
            return Consent::Waits;
        if (*answer == Value(false)) {
            notes->done(context.info(), key);
            return Consent::Refused;
        }
        consent = Consent::Repeated;
    }
    // Without a note it is done, too: a later run may do it again without asking.
    auto noted = uncertain ? notes->begin(context.info(), key) : Result<void>(uncertain.error());
    if (!noted)
        context.log(TaskContext::Stream::Event, what + " is not noted: " + noted.error().message);
    return consent;
}

} // namespace sg::engine
