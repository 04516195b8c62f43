#include "core/models/content_blocks.h"

namespace sg::models {
namespace {

// "data:image/png;base64,…" in its parts; any other address as it is.
ImageBlock ofAddress(const std::string& url)
{
    const std::size_t comma = url.find(";base64,");
    if (url.starts_with("data:") && comma != std::string::npos)
        return { url.substr(5, comma - 5), url.substr(comma + 8), {}, {} };
    return { {}, {}, url, {} };
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
            ? ImageBlock{ {}, {}, source->stringOr("url", ""), {} }
            : ImageBlock{ source->stringOr("media_type", ""), source->stringOr("data", ""), {}, {} };
    if (block["url"].isString())
        return ofAddress(block["url"].asString());
    const std::string data = block.stringOr("base64", block.stringOr("data", ""));
    if (data.empty())
        return std::nullopt;
    return ImageBlock{ block.stringOr("mime_type", "image/png"), data, {}, {} };
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
