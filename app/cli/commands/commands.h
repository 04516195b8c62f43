#pragma once

#include "app/cli/options.h"
#include "app/cli/output.h"

// Each function adds a verb's subcommand, whose callback does the work and sets `exit`.
namespace sg::cli {

struct Shell {
    Output out;
    int exit = Done;
};

void addRun(Verb app, Shell& shell);
void addResume(Verb app, Shell& shell);
void addReplay(Verb app, Shell& shell);
void addState(Verb app, Shell& shell);
void addHistory(Verb app, Shell& shell);
void addUpdate(Verb app, Shell& shell);
void addFork(Verb app, Shell& shell);
void addExplain(Verb app, Shell& shell);
void addDiff(Verb app, Shell& shell);
void addThreads(Verb app, Shell& shell);
void addValidate(Verb app, Shell& shell);
void addGraph(Verb app, Shell& shell);
void addExport(Verb app, Shell& shell);
void addImport(Verb app, Shell& shell);
void addNew(Verb app, Shell& shell);
void addSession(Verb app, Shell& shell);
void addLayers(Verb app, Shell& shell);
void addSnapshots(Verb app, Shell& shell);
void addAudit(Verb app, Shell& shell);
void addSecret(Verb app, Shell& shell);
void addConnection(Verb app, Shell& shell);
void addServe(Verb app, Shell& shell);
void addDoctor(Verb app, Shell& shell);
void addArtifacts(Verb app, Shell& shell);
void addDataset(Verb app, Shell& shell);
void addInbox(Verb app, Shell& shell);
void addMcp(Verb app, Shell& shell);
void addImage(Verb app, Shell& shell);
void addStore(Verb app, Shell& shell);
void addOpen(Verb app, Shell& shell);
void addQuery(Verb app, Shell& shell);
void addUsage(Verb app, Shell& shell);
void addBundle(Verb app, Shell& shell);
void addStorage(Verb app, Shell& shell);
void addPool(Verb app, Shell& shell);
void addWorker(Verb app, Shell& shell);

} // namespace sg::cli
