#include "app/cli/commands/commands.h"
#include "app/cli/commands/sessions/session_parts.h"
#include "core/config/self_check.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace sg::cli {
namespace {

using State = config::SelfCheck::State;

const char* wordOf(State state)
{
    switch (state) {
    case State::Good: return "good";
    case State::Weak: return "weak";
    case State::Broken: return "broken";
    case State::Absent: return "absent";
    }
    return "?";
}

// A temporary project, so that the check leaves nothing in a user's project.
class OwnFolder {
public:
    OwnFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "sandglass-doctor-XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr)
            m_path = name;
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    ~OwnFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

int examine(bool isQuick, const Output& out)
{
    const OwnFolder folder;
    SessionPlace place;
    place.project = folder.path().string();
    const auto workbench = place.open();
    if (!workbench)
        return out.fail(workbench.error());
    const auto checks = config::checkMachine((*workbench)->sessions(), !isQuick);
    ValueList document;
    std::int64_t broken = 0;
    std::int64_t weak = 0;
    for (const config::SelfCheck& check : checks) {
        broken += check.state == State::Broken ? 1 : 0;
        weak += check.state == State::Weak ? 1 : 0;
        document.push_back(Value::map({ { "name", check.name },
                                        { "state", wordOf(check.state) },
                                        { "text", check.text },
                                        { "mend", check.mend } }));
        out.text(padded(wordOf(check.state), 7) + "  " + check.name + ": " + check.text);
        if (!check.mend.empty())
            out.text("         " + check.mend);
    }
    if (out.json)
        out.document(
            Value::map({ { "checks", std::move(document) }, { "broken", broken }, { "weak", weak } }));
    out.text(broken > 0     ? counted(broken, "check") + " broken, " + std::to_string(weak) + " weak"
                 : weak > 0 ? counted(weak, "check") + " weak"
                            : std::string("all is well"));
    return broken > 0 ? Failed : Done;
}

} // namespace

void addDoctor(Verb app, Shell& shell)
{
    const auto isQuick = std::make_shared<bool>(false);
    Verb verb = app.add("doctor", "what sandboxes rest on here: what is weak, and how to mend it");
    verb.flag("--quick", *isQuick, "start no sandbox");
    verb.onRun([isQuick, &shell] { shell.exit = examine(*isQuick, shell.out); });
}

} // namespace sg::cli
