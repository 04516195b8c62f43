#include "app/cli/commands/commands.h"
#include "app/cli/documents.h"
#include "app/cli/project_option.h"

#include <memory>

namespace sg::cli {
namespace {

int threads(const PlaceOption& place, const Output& out)
{
    auto database = place.openDatabase();
    if (!database)
        return out.fail(database.error());
    auto rows = (*database)->history().threads();
    if (!rows)
        return out.fail(rows.error());
    if (out.json) {
        out.document(threadsDocument(*rows));
        return Done;
    }
    for (const history::ThreadRow& row : *rows)
        out.text(row.thread.value + "  " + runStatusName(row.status) + "  " + std::to_string(row.checkpoints)
                 + " checkpoints  " + row.updatedAt + (row.problem.empty() ? "" : "  " + row.problem));
    if (rows->empty())
        out.note("no threads in " + (*database)->name());
    return Done;
}

} // namespace

void addThreads(Verb app, Shell& shell)
{
    const auto place = std::make_shared<PlaceOption>();
    Verb verb = app.add("threads", "list the threads of a database, newest first");
    place->add(verb);
    verb.onRun([place, &shell] { shell.exit = threads(*place, shell.out); });
}

} // namespace sg::cli
