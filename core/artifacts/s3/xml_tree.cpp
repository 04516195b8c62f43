#include "core/artifacts/s3/xml_tree.h"

#include <expat.h>

#include <algorithm>
#include <memory>

namespace sg::artifacts::s3 {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMostElements = 100'000;
constexpr std::size_t kLargestAnswer = 8U << 20;

struct Builder {
    XML_Parser parser;
    XmlElement root{}; // its only child is the document's element
    std::vector<std::size_t> path{}; // of the open elements, by their places among their siblings
    std::size_t count = 0;
    std::string refusal{};

    XmlElement& open()
    {
        XmlElement* at = &root;
        for (const std::size_t place : path)
            at = &at->children[place];
        return *at;
    }
    void refuse(const char* why)
    {
        refusal = why;
        XML_StopParser(parser, XML_FALSE);
    }
};

std::string localName(const char* name)
{
    const std::string_view whole(name);
    return std::string(whole.substr(whole.find(':') + 1)); // npos + 1 is 0
}

void XMLCALL onStart(void* context, const char* name, const char**)
{
    auto& builder = *static_cast<Builder*>(context);
    if (builder.path.size() >= kDeepest)
        return builder.refuse("it is nested too deeply");
    if (++builder.count > kMostElements)
        return builder.refuse("it has too many elements");
    XmlElement& parent = builder.open();
    parent.children.push_back({ .name = localName(name) });
    builder.path.push_back(parent.children.size() - 1);
}

void XMLCALL onEnd(void* context, const char*)
{
    static_cast<Builder*>(context)->path.pop_back();
}

void XMLCALL onText(void* context, const char* text, int length)
{
    static_cast<Builder*>(context)->open().text.append(text, static_cast<std::size_t>(length));
}

void XMLCALL onDoctype(void* context, const char*, const char*, const char*, int)
{
    static_cast<Builder*>(context)->refuse("it declares a document type");
}

} // namespace

const XmlElement* XmlElement::find(std::string_view child) const
{
    const auto found = std::ranges::find(children, child, &XmlElement::name);
    return found == children.end() ? nullptr : &*found;
}

std::string XmlElement::textOf(std::string_view child) const
{
    const XmlElement* found = find(child);
    return found == nullptr ? std::string() : found->text;
}

Result<XmlElement> parseXml(std::string_view text)
{
    if (text.size() > kLargestAnswer)
        return Error{ Errc::Corrupt, "the answer is too large" };
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate("UTF-8"),
                                                                              &XML_ParserFree);
    if (!parser)
        return Error{ Errc::Corrupt, "no memory for the answer" };
    Builder builder{ .parser = parser.get() };
    XML_SetUserData(parser.get(), &builder);
    XML_SetElementHandler(parser.get(), onStart, onEnd);
    XML_SetCharacterDataHandler(parser.get(), onText);
    XML_SetStartDoctypeDeclHandler(parser.get(), onDoctype);
    const auto parsed = XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
    if (parsed != XML_STATUS_OK || builder.root.children.empty())
        return Error{ Errc::Corrupt,
                      "the answer is no XML: "
                          + (builder.refusal.empty()
                                 ? std::string(XML_ErrorString(XML_GetErrorCode(parser.get())))
                                 : builder.refusal) };
    return std::move(builder.root.children.front());
}

std::string xmlEscaped(std::string_view text)
{
    std::string escaped;
    for (const char each : text) {
        switch (each) {
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '&': escaped += "&amp;"; break;
        case '"': escaped += "&quot;"; break;
        default: escaped += each;
        }
    }
    return escaped;
}

} // namespace sg::artifacts::s3
