#pragma once

#include "core/base/redaction.h"
#include "core/models/chat_reply.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sg::models {

// Cleans the chunks of one answer of known secrets before anybody sees them. A secret may span several
// chunks: text that may be the beginning of one is held back until the next chunk of the same text. One
// owner.
class ChunkFilter {
public:
    explicit ChunkFilter(ChunkSink sink);

    void push(const ValueMap& chunk);
    // Sends what is still held back. An answer that broke off has no last chunk.
    void finish();

private:
    // A text that grows from chunk to chunk: that of a call's arguments or of one field of a content block.
    struct Place {
        Value index; // of the block or the call
        std::string field; // empty: the content is one text
        Value type; // of the block
        bool isCall = false;

        [[nodiscard]] std::string key() const;
    };
    struct Growing {
        Place place;
        SecretFilter filter;
    };

    std::string cleaned(const Place& place, const std::string& text);
    Value cleanedBlock(const Value& block);
    Value cleanedCall(const Value& call);
    bool addHeld(ValueMap& chunk);

    const ChunkSink m_sink;
    std::map<std::string, Growing> m_texts;
    ValueMap m_form; // the first chunk: another one is made from it
};

} // namespace sg::models
