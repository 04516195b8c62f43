#include "ui/sessions/session_choice.h"

#include <QObject>

#include <algorithm>
#include <tuple>
#include <utility>

namespace sg::ui {

bool hasEnded(const SessionRow& row)
{
    return row.state.hasEnded();
}

QString whereWords(const SessionRow& row)
{
    // The name of a sandbox elsewhere begins with its connection's.
    if (row.isolation == QLatin1String("elsewhere"))
        return row.sandbox.contains(QLatin1Char('/')) ? row.sandbox.section(QLatin1Char('/'), 0, 0)
                                                      : QObject::tr("elsewhere");
    return QObject::tr("here");
}

QString stateWords(const SessionRow& row)
{
    // An end that was asked for has no cause that anybody would look for.
    using sessions::SessionState;
    const bool wasAsked = row.state.hasEnded() && row.state.end() == SessionState::End::Asked;
    return wasAsked ? QStringLiteral("ended") : QString::fromStdString(row.state.text());
}

QString partWords(const SessionRow& row)
{
    return QString::fromStdString(row.part.text());
}

QString storageWords(const SessionRow& row)
{
    return row.storage == sessions::SessionStorage::Bind ? QObject::tr("disk") : QObject::tr("memory");
}

QString dataWords(const SessionRow& row)
{
    using sessions::DatasetAccess;
    if (!row.datasets.kind())
        return QString::fromStdString(row.datasets.text()).toLower();
    switch (*row.datasets.kind()) {
    case DatasetAccess::None: break;
    case DatasetAccess::LocalRo: return QObject::tr("local data");
    case DatasetAccess::Api: return QObject::tr("fetched data");
    case DatasetAccess::Hybrid: return QObject::tr("local and fetched data");
    }
    return QObject::tr("no data");
}

const SessionRow* liveSessionOf(const std::vector<SessionRow>& rows, const QString& thread)
{
    const auto found = std::ranges::find_if(rows, [&thread](const SessionRow& row) {
        return row.thread == thread && row.part.isThreads() && !hasEnded(row);
    });
    return found == rows.end() || thread.isEmpty() ? nullptr : &*found;
}

const SessionRow* sessionToShow(const std::vector<SessionRow>& rows, const QString& thread)
{
    const auto rank = [](const SessionRow& row) {
        return std::tuple(!hasEnded(row), row.part.isThreads(), row.startedMs);
    };
    const SessionRow* found = nullptr;
    for (const SessionRow& row : rows)
        if (row.thread == thread && !thread.isEmpty() && (!found || !(rank(row) < rank(*found))))
            found = &row;
    return found;
}

const SessionRow* successorOf(const std::vector<SessionRow>& rows, const SessionRow& restarted)
{
    const auto found = std::ranges::find_if(rows, [&restarted](const SessionRow& row) {
        return row.thread == restarted.thread && row.part == restarted.part && !hasEnded(row)
            && row.session != restarted.session;
    });
    return found == rows.end() ? nullptr : &*found;
}

ConsolePlace consolePlace(const std::vector<SessionRow>& rows, const SessionRow& shown)
{
    ConsolePlace place{ .thread = shown.thread };
    const SessionRow* live = liveSessionOf(rows, shown.thread);
    if (!shown.part.isThreads())
        place.refusal = live
            ? QObject::tr("This is the session of %1. Cells run in %2, the session of the thread itself: "
                          "choose it in the list.")
                  .arg(partWords(shown), live->session)
            : QObject::tr("This is the session of %1. Cells run only in the session of a thread itself.")
                  .arg(partWords(shown));
    else if (hasEnded(shown) && live)
        place.refusal =
            QObject::tr("This session has ended. Cells run in %1, the live one: choose it in the list.")
                .arg(live->session);
    else if (shown.state.is(sessions::SessionState::Kind::InUse))
        place.refusal = QObject::tr("Another program has this session: cells run there.");
    else
        place.words = hasEnded(shown) ? QObject::tr("A cell starts a session for thread %1").arg(shown.thread)
                                      : QObject::tr("Writes to session %1").arg(shown.session);
    return place;
}

} // namespace sg::ui
