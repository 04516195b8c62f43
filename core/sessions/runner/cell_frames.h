#pragma once

#include "core/base/result.h"
#include "core/sessions/runner/frame.h"
#include "core/sessions/session.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sg::sessions {

// CellFrames checks the frames of one cell or call and turns them into its result; output and custom data go
// to the handlers as they come. One owner, one thread.
class CellFrames {
public:
    CellFrames(bool isCall, const CellLimits& limits, const sandbox::Limits& sandboxLimits,
               const CellHandlers& handlers);

    // The message to send to the runner before the next frame is taken; empty: none.
    [[nodiscard]] ValueMap takeReply() { return std::exchange(m_reply, {}); }

    // True: the frame was the last one. Errc::Corrupt: it violates the protocol.
    Result<bool> take(const Frame& frame);

    [[nodiscard]] CellResult& result() { return m_result; }
    // False: the runner says that the artifacts folder is empty.
    [[nodiscard]] bool mayHaveArtifacts() const { return m_mayHaveArtifacts; }
    // The runner makes the copy of the interpreter that was requested with the call.
    [[nodiscard]] bool copyFollows() const { return m_copyFollows; }
    // The request's id, once it is done.
    [[nodiscard]] std::int64_t id() const { return m_id; }
    // A call beside others has set names that are to be kept.
    [[nodiscard]] bool hasKeptNames() const { return m_hasKeptNames; }
    // The interpreter was ended by SIGKILL, which is how the kernel ends processes when memory is short.
    [[nodiscard]] bool wasKilled() const { return m_wasKilled; }

private:
    Result<void> takeOutput(const Value& body);
    Result<void> takeCustom(const Value& body);
    Result<void> takeDisplay(const Value& body);
    Result<void> takeAsk(const Frame& frame);
    Result<void> takeTruncated(const Value& body);
    Result<void> takeDone(const Value& body);
    Result<void> takeUpdate(const Value& body);
    Result<void> takeInterrupts(const Value& body);
    void takeError(const Value& body);
    [[nodiscard]] bool hasRoomFor(std::size_t bytes);

    const bool m_isCall;
    const CellLimits m_limits;
    const sandbox::Limits m_sandboxLimits;
    const CellHandlers& m_handlers;
    CellResult m_result;
    ValueMap m_reply;
    bool m_mayHaveArtifacts = true;
    bool m_copyFollows = false;
    bool m_wasKilled = false;
    bool m_hasKeptNames = false;
    std::int64_t m_id = 0;
    std::int64_t m_outputBytes = 0;
    std::int64_t m_droppedHere = 0; // bytes that the runner should have dropped
    std::size_t m_dataBytes = 0; // custom and display data
    std::map<std::string, std::int64_t> m_droppedThere; // by stream
};

// Added to an error where a fresh interpreter replaces the old one.
inline constexpr const char* kNamesGone = "; the interpreter had to be replaced, its names are gone";

// "2.0 GiB", "512 MiB": binary units
std::string byteText(std::int64_t bytes);
// "the session used 2.0 GiB, its memory limit"
std::string outOfMemoryText(const sandbox::Limits& limits);
// "120 s", "0.5 s"
std::string secondsText(std::chrono::milliseconds duration);

} // namespace sg::sessions
