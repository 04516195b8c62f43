#include "app/cli/commands/commands.h"
#include "core/workbench/runtime.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    std::string backend = "bubblewrap";
    std::string image = "sandglass/python";
};

int build(const Arguments& arguments, const Output& out)
{
    const auto paths = workbench::locateRuntime();
    auto built = workbench::buildRuntime(paths, arguments.backend, arguments.image,
                                         [&out](const std::string& line) { out.note(line); });
    if (!built)
        return out.fail(built.error());
    if (out.json)
        out.document(Value::map({ { "backend", arguments.backend }, { "ready", true } }));
    else
        out.text("the sandbox runtime for " + arguments.backend + " is ready");
    return Done;
}

int check(const Arguments& arguments, const Output& out)
{
    const auto paths = workbench::locateRuntime();
    auto state = workbench::checkRuntime(paths, arguments.backend, arguments.image);
    if (!state)
        return out.fail(state.error());
    const bool ready = *state == workbench::RuntimeState::Ready;
    if (out.json)
        out.document(Value::map({ { "backend", arguments.backend }, { "ready", ready } }));
    out.text(ready
                 ? "ready"
                 : "missing or out of date. Build it: sandglass image build --backend " + arguments.backend);
    return ready ? Done : NoSandbox;
}

} // namespace

void addImage(CLI::App& app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("image", "the Python that sandboxes run");
    verb->require_subcommand(1);
    CLI::App* building =
        verb->add_subcommand("build", "make it: a virtual environment (bubblewrap) or an image (docker)");
    CLI::App* checking = verb->add_subcommand("check", "say whether it is there and up to date");
    for (CLI::App* each : { building, checking }) {
        each->add_option("--backend", arguments->backend, "docker or bubblewrap (default)")
            ->check(CLI::IsMember({ "docker", "bubblewrap" }));
        each->add_option("--image", arguments->image, "name of the image (docker)");
    }
    building->callback([arguments, &shell] { shell.exit = build(*arguments, shell.out); });
    checking->callback([arguments, &shell] { shell.exit = check(*arguments, shell.out); });
}

} // namespace sg::cli
