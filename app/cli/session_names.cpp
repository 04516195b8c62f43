#include "app/cli/session_names.h"

#include <algorithm>

namespace sg::cli {
namespace {

constexpr std::int64_t kMostVariables = 500;
constexpr std::size_t kMostPreview = 60;

std::string sizeOf(const sessions::Variable& variable)
{
    std::string text;
    if (variable.shape)
        for (const std::int64_t side : *variable.shape)
            text += (text.empty() ? "" : " × ") + std::to_string(side);
    if (variable.bytes)
        text += (text.empty() ? "" : ", ") + std::to_string(*variable.bytes) + " bytes";
    return text;
}

std::string firstLine(const std::string& text)
{
    std::string line = text.substr(0, text.find('\n'));
    if (line.size() > kMostPreview) {
        line.resize(kMostPreview);
        line += " …";
    }
    return line;
}

void noSession(const Output& out)
{
    out.note("the session ended; the next cell starts it anew");
}

} // namespace

Suggestions completionsOf(sessions::Session& session, const std::string& before, const std::string& line,
                          std::size_t cursor)
{
    Suggestions suggestions;
    const auto link = session.link();
    if (!link)
        return suggestions;
    const auto found = sessions::completeCode(*link, before + line, before.size() + cursor);
    if (!found || found->start < before.size() || found->end != before.size() + cursor)
        return suggestions;
    suggestions.start = found->start - before.size();
    for (const sessions::Completion& match : found->matches)
        suggestions.texts.push_back(match.text);
    return suggestions;
}

void showVariables(sessions::Session& session, const Output& out)
{
    const auto link = session.link();
    if (!link)
        return noSession(out);
    const auto list = sessions::listVariables(*link, kMostVariables);
    if (!list)
        return out.note(list.error().message);
    std::size_t name = 4;
    std::size_t type = 4;
    for (const sessions::Variable& variable : list->variables) {
        name = std::max(name, columnsOf(variable.name));
        type = std::max(type, columnsOf(variable.type));
    }
    for (const sessions::Variable& variable : list->variables)
        out.text(padded(variable.name, name + 2) + padded(variable.type, type + 2)
                 + padded(sizeOf(variable), 24) + firstLine(variable.preview));
    if (list->variables.empty())
        out.note("no names yet");
    if (list->total > static_cast<std::int64_t>(list->variables.size()))
        out.note("and " + std::to_string(list->total - static_cast<std::int64_t>(list->variables.size()))
                 + " more");
}

void showDescription(sessions::Session& session, const std::string& name, const Output& out)
{
    const auto link = session.link();
    if (!link)
        return noSession(out);
    const auto found = sessions::describeName(*link, name, name.size());
    if (!found)
        return out.note(found.error().message);
    if (!found->isFound)
        return out.note("there is no name '" + name + "' here");
    out.text((found->name.empty() ? name : found->name) + found->signature + "  (" + found->type
             + (found->file.empty() ? "" : ", " + found->file) + ")");
    if (!found->doc.empty())
        out.text(found->doc);
}

} // namespace sg::cli
