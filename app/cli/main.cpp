#include "app/cli/commands/commands.h"
#include "app/cli/commands/storage_commands.h"
#include "app/cli/standard_streams.h"
#include "core/base/allocation.h"
#include "core/base/core_dumps.h"
#include "core/graph/near_name.h"
#include "core/workbench/secret_variables.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <string_view>
#include <vector>

namespace {

constexpr const char* kFooter =
    R"(Exit codes: 0 done, 1 failed (disk, network, damaged file), 2 wrong use, 3 invalid graph,
4 a node failed, 5 waiting for an answer, 6 no sandbox, 7 database busy, 130 stopped.
Every verb takes --json: stdout then holds JSON alone.)";

// CLI11 speaks of "a subcommand" where the first word is none.
std::string usageProblem(const CLI::App& app, int argc, char** argv, const CLI::ParseError& error)
{
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands({}))
        names.push_back(verb->get_name());
    const std::vector<std::string_view> verbs(names.begin(), names.end());
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word.starts_with('-'))
            continue;
        if (std::find(verbs.begin(), verbs.end(), word) == verbs.end())
            return "there is no verb '" + std::string(word) + "'" + sg::graph::didYouMean(word, verbs);
        return error.what();
    }
    for (int i = 1; i < argc; ++i) {
        const std::string option(std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('=')));
        if (option.find_first_not_of('-') != std::string::npos && app.get_option_no_throw(option) == nullptr)
            return "there is no option '" + option + "'";
    }
    return app.get_subcommands().empty() ? "name a verb" : error.what();
}

// What was done stands, but who reads the output must know that it is not whole.
int ended(int code, const sg::cli::Output& out)
{
    const std::string problem = sg::cli::stdoutProblem();
    if (problem.empty() || (code != sg::cli::Done && code != sg::cli::Waiting))
        return code;
    out.note("error: the output could not be written: " + problem
             + ". What the command did stands; only its output is lost or cut short.");
    return sg::cli::Failed;
}

} // namespace

int main(int argc, char** argv)
{
    sg::refuseCoreDumps();
    sg::workbench::takeSecretVariables();
    sg::keepFreedMemory();
    std::signal(SIGPIPE, SIG_IGN); // a reader that went away is an error of the write, not our end
    sg::cli::Shell shell;
    CLI::App app("Runs agent workflows whose code lives in sandbox sessions.", "sandglass");
    app.set_version_flag("--version", "sandglass " SG_VERSION);
    app.require_subcommand(1);
    app.footer(kFooter);
    app.fallthrough(); // --json may stand before or after the verb
    app.add_flag("--json", shell.out.json, "print JSON alone on stdout");

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
    sg::cli::addValidate(app, shell);
    sg::cli::addGraph(app, shell);
    sg::cli::addExport(app, shell);
    sg::cli::addImport(app, shell);
    sg::cli::addSession(app, shell);
    sg::cli::addLayers(app, shell);
    sg::cli::addSnapshots(app, shell);
    sg::cli::addArtifacts(app, shell);
    sg::cli::addServe(app, shell);
    sg::cli::addAudit(app, shell);
    sg::cli::addSecret(app, shell);
    sg::cli::addDoctor(app, shell);
    sg::cli::addImage(app, shell);
    sg::cli::addStore(app, shell);
    sg::cli::addDataset(app, shell);
    sg::cli::addOpen(app, shell);
    sg::cli::addBundle(app, shell);
    sg::cli::addStorage(app, shell);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) // --help, --version
            return ended(app.exit(error), shell.out);
        return shell.out.fail(sg::cli::Usage,
                              usageProblem(app, argc, argv, error) + ". See: sandglass --help");
    }
    return ended(shell.exit, shell.out);
}
