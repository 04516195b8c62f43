#include "app/cli/commands/commands.h"
#include "core/config/secrets.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <vector>

namespace sg::cli {
namespace {

struct Arguments {
    std::string name;
    std::vector<std::string> names;
    bool isFile = false;
};

// Hides what is typed. Ctrl+C and Ctrl+Z are held until echo is back on, as not every shell restores it.
class NoEcho {
public:
    NoEcho()
        : m_isOn(::tcgetattr(STDIN_FILENO, &m_before) == 0)
    {
        if (!m_isOn)
            return;
        for (const int ends : { SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGQUIT })
            sigaddset(&m_held, ends);
        pthread_sigmask(SIG_BLOCK, &m_held, &m_signals);
        termios silent = m_before;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    NoEcho(const NoEcho&) = delete;
    NoEcho& operator=(const NoEcho&) = delete;
    ~NoEcho()
    {
        if (!m_isOn)
            return;
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
        pthread_sigmask(SIG_SETMASK, &m_signals, nullptr);
    }
    // The reader polls this, as a read goes on while the signals are held.
    [[nodiscard]] bool isInterrupted() const
    {
        sigset_t pending{};
        sigpending(&pending);
        return m_isOn && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
    }

private:
    sigset_t m_held{};
    sigset_t m_signals{};
    termios m_before{};
    bool m_isOn = false;
};

// Reads all of a pipe or file, or one line of a terminal, without the line feed at the end.
Result<settings::Secret> readSecret(const std::string& name, const Output& out)
{
    const bool isTerminal = ::isatty(STDIN_FILENO) == 1;
    if (isTerminal)
        out.note("The secret \"" + name + "\", then Enter (it is not shown):");
    const NoEcho silent;
    std::string bytes(settings::kLongestSecret + 2, '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        pollfd typed{ STDIN_FILENO, POLLIN, 0 };
        if (isTerminal && ::poll(&typed, 1, 100) <= 0) {
            if (silent.isInterrupted())
                return Error{ Errc::Cancelled, "stopped" };
            continue;
        }
        const ssize_t got = ::read(STDIN_FILENO, bytes.data() + have, bytes.size() - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        have += static_cast<std::size_t>(got);
        if (isTerminal && bytes[have - 1] == '\n')
            break;
    }
    bytes.resize(have);
    if (bytes.ends_with('\n'))
        bytes.pop_back();
    if (bytes.empty())
        return Error{ Errc::InvalidArgument,
                      "nothing came on standard input: the secret is read from there" };
    if (bytes.size() > settings::kLongestSecret)
        return Error{ Errc::LimitExceeded, "a secret has at most 16 KiB" };
    return settings::Secret(name, std::move(bytes));
}

Result<void> checkName(const std::string& name)
{
    if (settings::isSecretName(name))
        return {};
    return Error{
        Errc::InvalidArgument,
        "\"" + name.substr(0, 64)
            + "\" is no name for a secret: a letter, then letters, digits, \"_\" and \"-\", at most 64"
    };
}

int set(const Arguments& arguments, const Output& out)
{
    if (auto checked = checkName(arguments.name); !checked)
        return out.fail(checked.error());
    const settings::Keyring keyring = config::userKeyring();
    if (auto answers = keyring.probe(); !answers && !arguments.isFile)
        return out.fail(Failed,
                        answers.error().message + ". With --file it goes into a file that only you can read");
    const auto secret = readSecret(arguments.name, out);
    if (!secret)
        return out.fail(secret.error());
    const settings::SecretSource source = config::userSecrets();
    const auto kept = arguments.isFile ? source.file(arguments.name, secret->reveal())
                                       : keyring.store(arguments.name, secret->reveal());
    if (!kept)
        return out.fail(kept.error());
    const std::string place = source.placeOf(arguments.name); // an earlier source may hide it
    const std::string wanted = arguments.isFile ? "file" : "keyring";
    if (out.json)
        out.document(Value::map({ { "name", arguments.name }, { "stored", wanted }, { "found_in", place } }));
    out.text(arguments.name + " is in the " + wanted);
    if (place != wanted)
        out.note("warning: sessions get that of the " + place + ", which comes first");
    if (secret->reveal().size() < 8)
        out.note("warning: it has fewer than 8 characters, so it is not kept out of what sessions print");
    return Done;
}

int remove(const Arguments& arguments, const Output& out)
{
    if (auto checked = checkName(arguments.name); !checked)
        return out.fail(checked.error());
    // The keyring comes first: if it is locked, nothing has been removed yet.
    const auto kept = config::userKeyring().remove(arguments.name);
    if (!kept && kept.error().code != Errc::Unavailable)
        return out.fail(kept.error());
    const auto filed = config::userSecrets().unfile(arguments.name);
    if (!filed)
        return out.fail(filed.error());
    const bool wasKept = kept && *kept;
    if (!*filed && !wasKept)
        return out.fail(Failed, "there is no secret \"" + arguments.name + "\" in a file or in the keyring");
    if (out.json)
        out.document(Value::map({ { "name", arguments.name }, { "file", *filed }, { "keyring", wasKept } }));
    out.text(arguments.name + " is removed" + (*filed ? " from its file" : "")
             + (*filed && wasKept ? " and" : "") + (wasKept ? " from the keyring" : ""));
    return Done;
}

int list(const Arguments& arguments, const Output& out)
{
    const settings::SecretSource source = config::userSecrets();
    const std::vector<std::string> names = arguments.names.empty() ? source.filed() : arguments.names;
    ValueList document;
    bool areAllThere = true;
    for (const std::string& name : names) {
        if (auto checked = checkName(name); !checked)
            return out.fail(checked.error());
        const std::string place = source.placeOf(name);
        areAllThere = areAllThere && !place.empty();
        document.push_back(Value::map({ { "name", name }, { "place", place } }));
        out.text(padded(name, 24) + "  " + (place.empty() ? "nowhere" : place));
    }
    if (out.json)
        out.document(Value::map({ { "secrets", std::move(document) } }));
    if (arguments.names.empty())
        out.note("Those in files of " + source.folder().string()
                 + "; of others it is told where they are: sandglass secret list NAME…");
    return areAllThere ? Done : Failed;
}

} // namespace

void addSecret(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("secret", "this user's secrets, by the names that graphs ask for");
    verb.needsVerb();
    const auto sub = [&](const char* name, const char* help, int (*run)(const Arguments&, const Output&)) {
        Verb made = verb.add(name, help);
        made.onRun([arguments, &shell, run] { shell.exit = run(*arguments, shell.out); });
        return made;
    };
    Verb setting = sub("set", "store one, read from standard input, in the keyring", set);
    setting.option("name", arguments->name, "its name").required();
    setting.flag("--file", arguments->isFile, "in a file that only this user can read");
    sub("remove", "remove one from file and keyring", remove)
        .option("name", arguments->name, "its name")
        .required();
    sub("list", "where secrets are, never what they are", list)
        .option("names", arguments->names, "of these alone, in environment and keyring, too");
}

} // namespace sg::cli
