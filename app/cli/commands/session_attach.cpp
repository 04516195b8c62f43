#include "app/cli/commands/session_parts.h"
#include "app/cli/line_buffer.h"
#include "app/cli/line_editor.h"
#include "app/cli/project_option.h"
#include "app/cli/python_input.h"
#include "app/cli/rich_result.h"

#include <CLI/CLI.hpp>
#include <pthread.h>

#include <array>
#include <csignal>
#include <memory>
#include <mutex>
#include <thread>

namespace sg::cli {
namespace {

struct Arguments {
    SessionPlace place;
    std::string thread;
    double seconds = 0;
};

// Ctrl+C while a cell runs stops the cell. To be made before any other thread is: the signal is taken by one
// alone.
class CellInterrupt {
public:
    CellInterrupt()
    {
        ::sigemptyset(&m_signals);
        ::sigaddset(&m_signals, SIGINT);
        ::pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
        m_thread = std::jthread([this](const std::stop_token& ended) {
            const timespec slice{ 0, 100'000'000 };
            while (!ended.stop_requested())
                if (::sigtimedwait(&m_signals, nullptr, &slice) == SIGINT) {
                    const std::lock_guard lock(m_mutex);
                    m_stop.request_stop();
                }
        });
    }

    // For the next cell.
    std::stop_token begin()
    {
        const std::lock_guard lock(m_mutex);
        m_stop = std::stop_source();
        return m_stop.get_token();
    }

private:
    sigset_t m_signals{};
    std::mutex m_mutex;
    std::stop_source m_stop; // guarded by m_mutex
    std::jthread m_thread;
};

void runCell(sessions::Session& session, const std::string& code, const sessions::CellLimits& limits,
             const ThreadId& thread, std::stop_token stop, const Output& out)
{
    std::array<LineBuffer, 2> lines;
    const std::array<LineBuffer::Show, 2> show{ [&out](const std::string& line) { out.text(line); },
                                                [&out](const std::string& line) { out.note(line); } };
    sessions::CellHandlers handlers;
    handlers.output = [&](const sessions::CellOutput& output) {
        const std::size_t stream = output.stream == sessions::CellOutput::Stream::Stdout ? 0 : 1;
        lines.at(stream).add(output.bytes, show.at(stream));
        if (output.stream == sessions::CellOutput::Stream::Event)
            lines.at(stream).end(show.at(stream));
    };
    RichResults rich(out, {});
    handlers.display = [&](const Value& bundle) {
        for (const std::size_t stream : { 0U, 1U })
            lines.at(stream).end(show.at(stream));
        rich.show(bundle);
    };
    artifacts::ArtifactOrigin origin;
    origin.thread = thread;
    const sessions::CellResult result = session.runCell(code, limits, origin, handlers, std::move(stop));
    for (const std::size_t stream : { 0U, 1U })
        lines.at(stream).end(show.at(stream));
    rich.show(result.value);
    static_cast<void>(rich.end());
    for (const artifacts::Artifact& artifact : result.artifacts)
        out.note("artifact " + artifact.id.value + "  " + artifact.path);
    for (const std::string& warning : result.warnings)
        out.note(warning);
    if (result.error)
        out.note(result.error->traceback.empty() ? result.error->type + ": " + result.error->message
                                                 : result.error->traceback);
}

bool isFarewell(const std::string& code)
{
    return code == "exit" || code == "exit()" || code == "quit" || code == "quit()";
}

// Until Ctrl+D.
void talk(sessions::Session& session, const sessions::CellLimits& limits, const ThreadId& thread,
          CellInterrupt& interrupt, const Output& out)
{
    LineEditor editor;
    std::string code;
    while (true) {
        const LineEditor::Line line = editor.read(code.empty() ? ">>> " : "... ");
        if (line.done == EditedLine::Done::Interrupted) {
            code.clear();
            continue;
        }
        const bool isLast = line.done == EditedLine::Done::Ended;
        if (!isLast)
            code += line.text + "\n";
        // At the end of a pipe a block has no empty line behind it.
        if (!isLast && !isWholePython(code.substr(0, code.size() - 1)))
            continue;
        const std::size_t end = code.find_last_not_of(" \t\r\n");
        const std::string cell = end == std::string::npos ? std::string() : code.substr(0, end + 1);
        code.clear();
        if (isFarewell(cell))
            return;
        if (!cell.empty())
            runCell(session, cell, limits, thread, interrupt.begin(), out);
        if (isLast)
            return;
    }
}

int attach(const Arguments& arguments, const Output& out)
{
    if (out.json)
        return out.fail(Usage, "session attach talks to a person; for programs there is session exec --json");
    auto thread = threadArgument(arguments.thread);
    if (!thread)
        return out.fail(thread.error());
    CellInterrupt interrupt;
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    auto settings = (*project)->sessionSettings();
    if (!settings)
        return out.fail(settings.error());
    const auto backend = (*project)->sessions().backendInfo(settings->session.backend);
    // What can live on does: the way back is this same command.
    settings->session.keep = settings->session.keep || (backend && backend->name == "docker");
    auto session = (*project)->sessions().acquire(*thread, settings->session, {},
                                                  [&out](const std::string& line) { out.note(line); });
    if (!session)
        return out.fail(session.error());
    const sessions::SessionInfo info = (*session)->info();
    const bool livesOn = info.backend == "docker";
    out.note("session " + info.id.value + " of thread " + thread->value + ", " + info.backend + " ("
             + info.isolation + "). Ctrl+C stops a cell, Ctrl+D leaves"
             + (livesOn ? "; the session lives on until: sandglass session stop " + info.id.value
                        : " and ends it"));
    sessions::CellLimits limits = settings->cell;
    if (arguments.seconds > 0)
        limits.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.seconds * 1000));
    talk(**session, limits, *thread, interrupt, out);
    return Done;
}

} // namespace

void addSessionAttach(CLI::App& verb, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* attaching = verb.add_subcommand("attach", "talk to a thread's session, cell by cell");
    arguments->place.add(*attaching, true);
    attaching->add_option("--thread", arguments->thread, "thread whose session it is")->required();
    attaching
        ->add_option("--timeout", arguments->seconds,
                     "seconds until a cell is stopped (default: as the settings say)")
        ->check(CLI::Range(0.1, 86400.0));
    attaching->callback([arguments, &shell] { shell.exit = attach(*arguments, shell.out); });
}

} // namespace sg::cli
