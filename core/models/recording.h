#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::models {

// A server's reply to one request, fault statuses included.
struct RecordedReply {
    int status = 200;
    std::string contentType;
    std::string body;
};

// Replies of chat models, by their requests. A recording that is replayed answers in their place: to the
// request that was recorded, and to no other. The file:
//   {"format": 1, "exchanges": [{"request": {…}, "reply": {"status": 200, "content_type": …, "body": …}}, …]}
// Known secrets are left out of it, as it is a file of the project. Any thread.
class Recording {
public:
    // Records into the file, after what it holds already. Errc::InvalidArgument: it is no recording.
    static Result<std::shared_ptr<Recording>> begin(const std::filesystem::path& file);
    static Result<std::shared_ptr<Recording>> parse(std::string_view json); // replays; Errc::InvalidArgument

    [[nodiscard]] bool isReplay() const { return m_isReplay; }
    Result<void> add(std::string_view request, RecordedReply reply); // writes the file; Errc::LimitExceeded
    // Returns the first unused reply to that request. Errc::NotFound shows what differs from what was
    // recorded.
    Result<RecordedReply> take(std::string_view request);

private:
    struct Exchange {
        Value request;
        RecordedReply reply;
        bool isUsed = false;
    };
    explicit Recording(bool isReplay)
        : m_isReplay(isReplay)
    {
    }
    [[nodiscard]] std::string text() const; // of the file; needs the mutex

    bool m_isReplay; // constant once made
    std::filesystem::path m_file; // the same
    std::mutex m_mutex;
    std::vector<Exchange> m_exchanges; // guarded by m_mutex
};

// Returns the first difference: "/messages/1/content: \"a\" instead of \"b\"". Nothing: they are equal.
std::optional<std::string> firstDifference(const Value& expected, const Value& found);

} // namespace sg::models
