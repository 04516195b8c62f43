#include "core/sessions/cell_outcome.h"

#include "core/sessions/snapshot.h"

namespace sg::sessions {

CellOutcome outcomeOf(const CellResult& result)
{
    CellOutcome outcome;
    outcome.ok = result.isWhole();
    outcome.error = result.error;
    if (!result.error && result.storeFailure)
        outcome.error =
            CellError{ "ArtifactError",
                       "the code ran, but a file that it left was not stored: " + *result.storeFailure
                           + ". It stays in the session; mend that, and the next cell's end "
                             "stores it",
                       {},
                       {} };
    if (!outcome.error && result.lostFile)
        outcome.error = CellError{ kArtifactRefused,
                                   "the code ran, but a file that it left was not stored: " + *result.lostFile
                                       + ". It stays in the session",
                                   {},
                                   {} };
    if (result.restored)
        outcome.notes.push_back(
            (result.restored->keepsEdits ? "the sandbox goes on " : "the sandbox was brought back: ")
            + describe(*result.restored));
    if (result.restarted && !result.error) // the error says it else
        outcome.notes.emplace_back("the interpreter was started anew: its names are gone");
    if (result.droppedBytes > 0)
        outcome.notes.push_back(std::to_string(result.droppedBytes)
                                + " bytes of output over the limit were dropped");
    outcome.notes.insert(outcome.notes.end(), result.warnings.begin(), result.warnings.end());
    if (result.error && result.storeFailure)
        outcome.notes.push_back("a file that the code left was not stored: " + *result.storeFailure);
    return outcome;
}

} // namespace sg::sessions
