#pragma once

#include "app/cli/output.h"

namespace CLI {
class App;
}

// One function a verb: adds its subcommand, whose callback does the work and sets `exit`.
namespace sg::cli {

struct Shell {
    Output out;
    int exit = Done;
};

void addRun(CLI::App& app, Shell& shell);
void addResume(CLI::App& app, Shell& shell);
void addReplay(CLI::App& app, Shell& shell);
void addState(CLI::App& app, Shell& shell);
void addHistory(CLI::App& app, Shell& shell);
void addUpdate(CLI::App& app, Shell& shell);
void addFork(CLI::App& app, Shell& shell);
void addExplain(CLI::App& app, Shell& shell);
void addDiff(CLI::App& app, Shell& shell);
void addThreads(CLI::App& app, Shell& shell);
void addValidate(CLI::App& app, Shell& shell);
void addGraph(CLI::App& app, Shell& shell);
void addExport(CLI::App& app, Shell& shell);
void addImport(CLI::App& app, Shell& shell);
void addSession(CLI::App& app, Shell& shell);
void addLayers(CLI::App& app, Shell& shell);
void addSnapshots(CLI::App& app, Shell& shell);
void addAudit(CLI::App& app, Shell& shell);
void addSecret(CLI::App& app, Shell& shell);
void addServe(CLI::App& app, Shell& shell);
void addDoctor(CLI::App& app, Shell& shell);
void addArtifacts(CLI::App& app, Shell& shell);
void addDataset(CLI::App& app, Shell& shell);
void addImage(CLI::App& app, Shell& shell);
void addStore(CLI::App& app, Shell& shell);
void addOpen(CLI::App& app, Shell& shell);

} // namespace sg::cli
