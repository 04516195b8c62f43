#include "app/cli/commands/commands.h"
#include "app/cli/commands/tools/help.h"
#include "app/cli/examples.h"
#include "app/cli/exit_code.h"
#include "app/cli/options.h"
#include "app/cli/standard_streams.h"
#include "core/base/allocation.h"
#include "core/base/core_dumps.h"
#include "core/config/secrets.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

constexpr const char* kFooter =
    R"(Exit codes: 0 done, 1 failed (disk, network, damaged file), 2 wrong use, 3 invalid graph,
4 a node failed, 5 waiting for an answer, 6 no sandbox, 7 database busy, 130 stopped.
Every verb takes --json: stdout then holds JSON alone.)";

// The command has done its work, but readers of the output must learn that it is incomplete.
int ended(int code, const sg::cli::Output& out)
{
    const std::string problem = sg::cli::stdoutProblem();
    if (problem.empty() || (code != sg::cli::Done && code != sg::cli::Waiting))
        return code;
    out.note("error: the output could not be written: " + problem
             + ". What the command did stands; only its output is lost or cut short.");
    return sg::cli::Failed;
}

// Until a verb takes the signal for itself there is nothing to be put in order.
void stopsAtOnce(int)
{
    constexpr std::string_view kText = "sandglass: stopped\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
    ::_exit(sg::cli::Stopped);
}

} // namespace

int main(int argc, char** argv)
{
    if (std::signal(SIGINT, stopsAtOnce) == SIG_IGN)
        std::signal(SIGINT, SIG_IGN); // whoever started this program wants it to go on
    sg::refuseCoreDumps();
    sg::config::takeSecretVariables();
    sg::keepFreedMemory();
    std::signal(SIGPIPE, SIG_IGN); // a reader that left becomes a write error instead of ending us
    sg::cli::Shell shell;
    sg::cli::CommandLine line("sandglass", "Runs agent workflows whose code lives in sandbox sessions.",
                              "sandglass " SG_VERSION);
    shell.out.completes = [&line](const std::string& text) { return line.withPlace(text); };
    const sg::cli::Verb app = line.root();
    app.footer(kFooter);
    app.flag("--json", shell.out.json, "print JSON alone on stdout");

    sg::cli::addRun(app, shell);
    sg::cli::addResume(app, shell);
    sg::cli::addReplay(app, shell);
    sg::cli::addState(app, shell);
    sg::cli::addHistory(app, shell);
    sg::cli::addUpdate(app, shell);
    sg::cli::addFork(app, shell);
    sg::cli::addExplain(app, shell);
    sg::cli::addDiff(app, shell);
    sg::cli::addThreads(app, shell);
    sg::cli::addQuery(app, shell);
    sg::cli::addUsage(app, shell);
    sg::cli::addValidate(app, shell);
    sg::cli::addGraph(app, shell);
    sg::cli::addExport(app, shell);
    sg::cli::addImport(app, shell);
    sg::cli::addNew(app, shell);
    sg::cli::addSession(app, shell);
    sg::cli::addLayers(app, shell);
    sg::cli::addSnapshots(app, shell);
    sg::cli::addArtifacts(app, shell);
    sg::cli::addServe(app, shell);
    sg::cli::addAudit(app, shell);
    sg::cli::addSecret(app, shell);
    sg::cli::addConnection(app, shell);
    sg::cli::addDoctor(app, shell);
    sg::cli::addInbox(app, shell);
    sg::cli::addMcp(app, shell);
    sg::cli::addImage(app, shell);
    sg::cli::addStore(app, shell);
    sg::cli::addDataset(app, shell);
    sg::cli::addOpen(app, shell);
    sg::cli::addBundle(app, shell);
    sg::cli::addStorage(app, shell);
    sg::cli::addWorker(app, shell);
    sg::cli::addPool(app, shell);
    sg::cli::addHelp(line, "sandglass " SG_VERSION, kFooter, shell);
    sg::cli::addExamples(line);

    if (const auto problem = line.run(argc, argv))
        return shell.out.fail(sg::cli::Usage, *problem);
    return ended(shell.exit, shell.out);
}
