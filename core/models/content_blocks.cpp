#include "core/models/content_blocks.h"

namespace sg::models {
namespace {

// Splits "data:image/png;base64,…" into its parts; any other address stays as it is.
ImageBlock ofAddress(const std::string& url)
{
    const std::size_t comma = url.find(";base64,");
    if (url.starts_with("data:") && comma != std::string::npos)
        return { .mediaType = url.substr(5, comma - 5), .data = url.substr(comma + 8) };
    return { .url = url };
}

} // namespace

std::optional<ImageBlock> imageOf(const Value& block)
{
    const std::string type = block.stringOr("type", "");
    if (type == "image_url") {
        const Value& image = block["image_url"];
        ImageBlock found = ofAddress(image.isString() ? image.asString() : image.stringOr("url", ""));
        found.detail = image["detail"];
        return found;
    }
    if (type != "image")
        return std::nullopt;
    if (const Value* source = block.find("source"); source != nullptr && source->isMap())
        return source->stringOr("type", "") == "url"
            ? ImageBlock{ .url = source->stringOr("url", "") }
            : ImageBlock{ .mediaType = source->stringOr("media_type", ""),
                          .data = source->stringOr("data", "") };
    if (block["url"].isString())
        return ofAddress(block["url"].asString());
    const std::string data = block.stringOr("base64", block.stringOr("data", ""));
    if (data.empty())
        return std::nullopt;
    return ImageBlock{ .mediaType = block.stringOr("mime_type", "image/png"), .data = data };
}

std::string textOf(const Value& content)
{
    if (content.isString())
        return content.asString();
    std::string text;
    if (content.isList())
        for (const Value& block : content.asList()) {
            if (block.isString())
                text += block.asString();
            else if (block.stringOr("type", "") == "text")
                text += block.stringOr("text", "");
        }
    return text;
}

} // namespace sg::models
