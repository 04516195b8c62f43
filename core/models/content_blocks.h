#pragma once

#include "core/base/value.h"

#include <optional>
#include <string>

namespace sg::models {

// A picture of a message's content, in any of the ways in which LangChain, OpenAI and Anthropic write it.
struct ImageBlock {
    std::string mediaType{}; // with `data`
    std::string data{}; // base64
    std::string url{}; // in place of both
    Value detail{}; // of OpenAI's; null: none
};
std::optional<ImageBlock> imageOf(const Value& block);

// Returns a message's text without what is no text; a content that is text is that text.
std::string textOf(const Value& content);

} // namespace sg::models
