#pragma once

#include "tests/core/sessions/lifecycle_world.h"

namespace sg::test {

// A cell and what the session told beside it.
struct Told {
    std::string value;
    std::string text;
    bool restarted = false;
};
inline Told cell(sessions::Session& session, const std::string& code)
{
    Told told;
    const sessions::CellHandlers handlers{ [&](const sessions::CellOutput& output) {
                                              if (output.stream == sessions::CellOutput::Stream::Event)
                                                  told.text += output.bytes + "|";
                                          },
                                           {} };
    const auto result = session.runCell(code, {}, {}, handlers, {});
    told.restarted = result.restarted;
    told.value = result.error                   ? result.error->type + ": " + result.error->message
        : result.value["text/plain"].isString() ? result.value["text/plain"].asString()
                                                : "";
    return told;
}

// Another thread that wants a session, and gets one in its time.
struct Asker {
    Asker(LifecycleWorld& world, const std::string& thread,
          sessions::SessionManager::For whom = sessions::SessionManager::For::Person)
        : work([this, &world, thread, whom](const std::stop_token& stop) {
            session = world.manager->acquire(ThreadId(thread), {}, stop, {}, whom);
            isDone = true;
        })
    {
    }
    Result<std::shared_ptr<sessions::Session>> session = Error{ Errc::Io, "" };
    std::atomic<bool> isDone = false;
    std::jthread work;
};

inline bool isWaiting(LifecycleWorld& world)
{
    return waitFor([&] { return !world.said(SessionEvent::Kind::Waiting).empty(); });
}

} // namespace sg::test
