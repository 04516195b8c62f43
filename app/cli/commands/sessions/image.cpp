#include "app/cli/commands/commands.h"
#include "core/config/runtime.h"
#include "core/sandbox/backend_kinds.h"

#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    std::string backend{ sandbox::firstBackendOn(sandbox::RunsOn::Environment).name };
    std::string image = "sandglass/python";
};

int build(const Arguments& arguments, const Output& out)
{
    const auto paths = config::locateRuntime();
    auto built = config::buildRuntime(paths, arguments.backend, arguments.image,
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
    const auto paths = config::locateRuntime();
    auto state = config::checkRuntime(paths, arguments.backend, arguments.image);
    if (!state)
        return out.fail(state.error());
    const bool ready = *state == config::RuntimeState::Ready;
    if (out.json)
        out.document(Value::map({ { "backend", arguments.backend }, { "ready", ready } }));
    out.text(ready
                 ? "ready"
                 : "missing or out of date. Build it: sandglass image build --backend " + arguments.backend);
    return ready ? Done : NoSandbox;
}

int packages(const Output& out)
{
    const auto found = config::runtimePackages(config::locateRuntime());
    if (!found)
        return out.fail(found.error());
    ValueList list;
    for (const config::RuntimePackage& each : *found) {
        list.push_back(
            Value::map({ { "name", each.name }, { "version", each.version }, { "module", each.module() } }));
        out.text(padded(each.name, 20) + padded(each.version, 12)
                 + (each.module() == each.name ? "" : "import " + each.module()));
    }
    if (out.json)
        out.document(Value::map({ { "packages", Value(std::move(list)) } }));
    else
        out.note("Others: \"requirements\" in the graph's \"sandbox\", or an image of your own.");
    return Done;
}

} // namespace

void addImage(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("image", "the Python that sandboxes run");
    verb.needsVerb();
    const std::string local(sandbox::firstBackendOn(sandbox::RunsOn::Environment).name);
    const std::string container(sandbox::firstBackendOn(sandbox::RunsOn::Image).name);
    Verb building =
        verb.add("build", "make it: a virtual environment (" + local + ") or an image (" + container + ")");
    Verb checking = verb.add("check", "say whether it is there and up to date");
    Verb listing = verb.add("packages", "list the packages that it has");
    std::vector<std::string> built;
    for (const sandbox::BackendKind& kind : sandbox::backendKinds())
        if (kind.runsOn != sandbox::RunsOn::Service)
            built.emplace_back(kind.name);
    for (Verb each : { building, checking }) {
        each.option("--backend", arguments->backend, container + " or " + local + " (default)").oneOf(built);
        each.option("--image", arguments->image, "name of the image (" + container + ")");
    }
    listing.onRun([&shell] { shell.exit = packages(shell.out); });
    building.onRun([arguments, &shell] { shell.exit = build(*arguments, shell.out); });
    checking.onRun([arguments, &shell] { shell.exit = check(*arguments, shell.out); });
}

} // namespace sg::cli
