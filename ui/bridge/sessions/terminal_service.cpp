#include "ui/bridge/sessions/terminal_service.h"

#include "core/base/printable.h"
#include "core/sessions/runner/session_terminal.h"
#include "core/sessions/session.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/sessions/session_query.h"
#include "ui/bridge/sessions/terminal_line.h"

#include <QCoreApplication>

#include <chrono>
#include <string_view>
#include <thread>

namespace sg::ui {
namespace {

constexpr auto kLook = std::chrono::milliseconds(100); // delay until a closed line is noticed

QString tr(const char* text)
{
    return QCoreApplication::translate("Terminal", text);
}

QString howItEnded(const sessions::SessionTerminal& terminal)
{
    const auto code = terminal.exitCode();
    return code ? tr("The shell has ended (exit %1).").arg(*code) : tr("The shell has ended.");
}

void typeInto(sessions::SessionTerminal& terminal, TerminalLine& line, const std::stop_token& stop)
{
    while (auto wish = line.nextWish(stop)) {
        if (wish->grid)
            static_cast<void>(terminal.resize({ wish->grid->rows, wish->grid->columns }));
        std::string_view typed(wish->typed.constData(), static_cast<std::size_t>(wish->typed.size()));
        while (!typed.empty() && !stop.stop_requested() && !line.isClosed()) {
            const auto done = terminal.write(typed, std::chrono::steady_clock::now() + kLook);
            if (!done)
                return; // the reading side reports why
            typed.remove_prefix(*done);
        }
    }
}

// Runs until the shell ends or the line is closed, and returns how it ended.
QString serve(sessions::SessionTerminal& terminal, TerminalLine& line)
{
    const std::jthread writer([&](const std::stop_token& stop) { typeInto(terminal, line, stop); });
    while (!line.isClosed()) {
        const auto text = terminal.read(std::chrono::steady_clock::now() + kLook);
        if (!text && text.error().code == Errc::Timeout)
            continue;
        if (!text)
            return tr("The terminal has ended: %1.").arg(ui::text(printableText(text.error().message)));
        if (text->empty())
            return howItEnded(terminal);
        if (!line.print(QByteArray::fromStdString(*text)))
            break;
    }
    return {};
}

} // namespace

QString runTerminal(workbench::Workbench& workbench, const QString& session, TerminalLine& line)
{
    const auto living = sessionOf(workbench, session);
    if (!living)
        return tr("Session %1 does not run in this window; only its own program reaches it.").arg(session);
    if (!living->link())
        return tr("No sandbox is running in session %1; the next cell or node starts one.").arg(session);
    if (living->info().state.is(sessions::SessionState::Kind::Paused))
        return tr("Session %1 is paused: its processes stand still. Unpause it first.").arg(session);
    const TerminalGrid grid = line.grid();
    auto terminal = sessions::SessionTerminal::open(living, { grid.rows, grid.columns });
    if (!terminal)
        return ui::text(printableText(terminal.error().message));
    return serve(**terminal, line);
}

} // namespace sg::ui
