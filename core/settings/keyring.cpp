#include "core/settings/keyring.h"

#include "core/base/child_process.h"

#include <string.h> // explicit_bzero
#include <sys/stat.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace sg::settings {
namespace {

constexpr std::size_t kMostAnswer = 1U << 20;
constexpr std::size_t kMostWords = 300;
constexpr std::chrono::milliseconds kListingTime{ 5'000 }; // for calls that ask nobody
constexpr const char* kNobody = "-"; // no secret has that name: isSecretName()

// The program needs these to find the session bus, and a password dialog to show itself.
constexpr const char* kPassedOn[]{ "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "PATH" };

// Without either, a bus library would start a bus of its own, with an empty keyring.
bool hasSessionBus(const SecretSource::Variables& variables)
{
    if (const auto address = variables("DBUS_SESSION_BUS_ADDRESS"); address && !address->empty())
        return true;
    const auto folder = variables("XDG_RUNTIME_DIR");
    struct stat found { };
    return folder && !folder->empty() && ::stat((*folder + "/bus").c_str(), &found) == 0
        && S_ISSOCK(found.st_mode);
}

Error none(const std::string& why)
{
    return { Errc::Unavailable, "no keyring can be used: " + why };
}

std::string wordsOf(std::string text)
{
    constexpr std::string_view kOwnName = "secret-tool: ";
    text = text.substr(0, std::min(text.find('\n'), kMostWords));
    return text.starts_with(kOwnName) ? text.substr(kOwnName.size()) : text;
}

} // namespace

Result<Keyring::Told> Keyring::ask(const char* verb, const std::string& name, const std::string& input,
                                   const std::stop_token& stop) const
{
    if (!hasSessionBus(m_options.variables))
        return none("this login has no session bus (DBUS_SESSION_BUS_ADDRESS)");
    ProcessSpec spec;
    spec.program = m_options.program;
    spec.arguments = { verb };
    const bool stores = std::string_view(verb) == "store";
    if (stores)
        spec.arguments.push_back("--label=Sandglass: " + name);
    for (const std::string& word :
         { std::string("application"), std::string("sandglass"), std::string("name"), name })
        spec.arguments.push_back(word);
    spec.environment = { "LC_ALL=C.UTF-8" };
    for (const char* variable : kPassedOn)
        if (const auto value = m_options.variables(variable))
            spec.environment.push_back(std::string(variable) + '=' + *value);
    spec.pipeStdin = stores;
    spec.pipeStdout = true;
    spec.pipeStderr = true;
    const bool asksAPerson = std::string_view(verb) != "search";
    const auto patience = asksAPerson ? m_options.patience : std::min(m_options.patience, kListingTime);
    auto told = runProcess(std::move(spec), input, patience, kMostAnswer, stop);
    if (!told && told.error().code == Errc::Cancelled)
        return Error{ Errc::Cancelled, "stopped while the keyring was asked" };
    if (!told && told.error().code == Errc::Timeout)
        return Error{ Errc::Timeout, "the keyring did not answer in time: is it waiting to be unlocked?" };
    if (!told)
        return none(told.error().message + "; install the package libsecret-tools");
    if (told->exit.code == 0)
        return Told{ true, std::move(told->out) };
    if (told->exit.code == 1 && told->err.empty())
        return Told{};
    return none(told->err.empty() ? "secret-tool was ended" : wordsOf(told->err));
}

Result<std::optional<std::string>> Keyring::find(const std::string& name, const std::stop_token& stop) const
{
    auto told = ask("lookup", name, {}, stop);
    if (!told)
        return std::move(told.error());
    if (told->isDone)
        return std::optional(std::move(told->out));
    // A locked secret is not found, either, but it is listed.
    auto listed = ask("search", name, {}, stop);
    if (!listed)
        return std::move(listed.error());
    ::explicit_bzero(listed->out.data(), listed->out.size());
    if (listed->isDone && !listed->out.empty())
        return Error{ Errc::PermissionDenied, "the keyring that has the secret \"" + name + "\" is locked" };
    return std::optional<std::string>();
}

Result<void> Keyring::store(const std::string& name, const std::string& secret) const
{
    const auto told = ask("store", name, secret);
    if (!told)
        return told.error();
    if (!told->isDone)
        return Error{ Errc::PermissionDenied, "the keyring is locked, or did not take the secret" };
    return {};
}

Result<bool> Keyring::remove(const std::string& name) const
{
    const auto before = find(name);
    if (!before || !*before)
        return before ? Result<bool>(false) : Result<bool>(before.error());
    const auto told = ask("clear", name);
    return told ? Result<bool>(told->isDone) : Result<bool>(told.error());
}

Result<void> Keyring::probe() const
{
    const auto told = ask("lookup", kNobody);
    return told ? Result<void>() : Result<void>(told.error());
}

} // namespace sg::settings
