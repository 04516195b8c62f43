#include "app/cli/commands/commands.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>

namespace {

constexpr const char* kFooter = R"(Exit codes: 0 done, 1 failed (disk, network, damaged file), 2 wrong use, 3 invalid graph,
4 a node failed, 5 waiting for an answer, 6 no sandbox, 7 database busy, 130 stopped.
Every verb takes --json: stdout then holds JSON alone.)";

} // namespace

int main(int argc, char** argv)
{
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
    sg::cli::addState(app, shell);
    sg::cli::addHistory(app, shell);
    sg::cli::addThreads(app, shell);
    sg::cli::addValidate(app, shell);
    sg::cli::addGraph(app, shell);
    sg::cli::addSession(app, shell);
    sg::cli::addArtifacts(app, shell);
    sg::cli::addImage(app, shell);
    sg::cli::addOpen(app, shell);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) // --help, --version
            return app.exit(error);
        return shell.out.fail(sg::cli::Usage, std::string(error.what()) + ". See sandglass --help.");
    }
    return shell.exit;
}
