#pragma once

#include "core/base/clock.h"
#include "core/models/chat_reply.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::models {

// The faults are told in the words of the official clients where they have some. All of it is pure.

// Returns the fault of an answer whose status is no success. `headers`: names in lower case; `now` for dates
// in Retry-After.
ChatFault statusFault(int status, const std::vector<std::pair<std::string, std::string>>& headers,
                      std::string_view body, WallTime now);
// Returns the fault of {"error": …} in place of an answer, or in the middle of a stream.
ChatFault streamFault(const Value& error, const std::string& partial);

ChatFault brokenReply(std::string why, const std::string& partial); // tried again
ChatFault cutReply(const std::string& partial); // the stream ended before the answer did
ChatFault tooLargeReply(const std::string& partial); // never tried again

// Returns a server's words for a message: their first line, without what is no text.
std::string shortened(std::string_view text, std::size_t most = 300);

// Returns the pause before the nth new try (from 0): what the server asked for, else 0.5 s · 2^n up to 8 s,
// less up to a quarter by chance. `chance` is from 0 to 1.
std::chrono::milliseconds retryDelay(const ChatFault& fault, int tried, double chance);

} // namespace sg::models
