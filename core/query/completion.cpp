#include "core/query/completion.h"

#include "core/query/query.h"

#include <algorithm>

namespace sg::query {
namespace {

const std::vector<std::string>& wordsOf(Field field, const Vocabulary& vocabulary)
{
    static const std::vector<std::string> kKinds{ "run", "checkpoint", "task", "log" };
    static const std::vector<std::string> kStatuses{ "failed",  "interrupted", "running",        "done",
                                                     "stopped", "cached",      "recursion_limit" };
    static const std::vector<std::string> kSources{ "input", "loop", "update", "fork" };
    static const std::vector<std::string> kStreams{ "stdout", "stderr" };
    static const std::vector<std::string> kNumbers{ ">", ">=", "<", "<=" };
    static const std::vector<std::string> kNone;
    switch (field) {
    case Field::Is: return kKinds;
    case Field::Status: return kStatuses;
    case Field::Source: return kSources;
    case Field::Stream: return kStreams;
    case Field::Node: return vocabulary.nodes;
    case Field::Thread: return vocabulary.threads;
    case Field::Step:
    case Field::Attempts:
    case Field::Took: return kNumbers;
    case Field::Run:
    case Field::Checkpoint:
    case Field::Since:
    case Field::Before: break;
    }
    return kNone;
}

std::string quotedWhereNeeded(const std::string& word)
{
    return word.find_first_of(" ,\t\"") == std::string::npos ? word : '"' + word + '"';
}

void addThose(const std::vector<std::string>& from, const std::string& typed, Completion& made)
{
    std::vector<std::string> inside;
    for (const std::string& word : from) {
        const std::size_t place = lowerCase(word).find(typed);
        if (place == 0)
            made.words.push_back(quotedWhereNeeded(word));
        else if (place != std::string::npos)
            inside.push_back(quotedWhereNeeded(word));
    }
    made.words.insert(made.words.end(), inside.begin(), inside.end());
}

} // namespace

Completion complete(std::string_view text, std::size_t cursor, const Vocabulary& vocabulary)
{
    Completion made;
    std::string_view before = text.substr(0, std::min(cursor, text.size()));
    if (std::ranges::count(before, '"') % 2 == 1)
        return made; // inside quotes any text is possible
    std::size_t start = before.find_last_of(" \t\r\n");
    start = start == std::string_view::npos ? 0 : start + 1;
    start += start < before.size() && before[start] == '-' ? 1 : 0;
    const std::size_t colon = before.find(':', start);
    if (colon == std::string_view::npos) {
        made.from = start;
        const std::string typed = lowerCase(before.substr(start));
        for (const std::string_view name : fieldNames())
            if (name.starts_with(typed))
                made.words.push_back(std::string(name) + ':');
        return made;
    }
    const std::string name = lowerCase(before.substr(start, colon - start));
    const auto& names = fieldNames();
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        return made;
    const std::size_t comma = before.find_last_of(',');
    made.from = comma != std::string_view::npos && comma > colon ? comma + 1 : colon + 1;
    addThose(wordsOf(static_cast<Field>(found - names.begin()), vocabulary),
             lowerCase(before.substr(made.from)), made);
    return made;
}

} // namespace sg::query
