#include "app/cli/completions.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sg::cli {
namespace {

// A verb with the words that shells complete for it.
struct Place {
    std::string path;
    std::vector<std::pair<std::string, std::string>> verbs; // name, help
    std::vector<std::pair<std::string, std::string>> options; // "--thread", help
    std::vector<std::pair<std::string, std::vector<std::string>>> words; // "--sandbox": its allowed values
    std::vector<std::string> withValue; // options that take a value
};

void collect(const VerbInfo& verb, const std::vector<OptionInfo>& outer, std::vector<Place>& places)
{
    Place place;
    place.path = verb.path;
    for (const VerbInfo& each : verb.verbs)
        place.verbs.emplace_back(each.path.substr(each.path.rfind(' ') + 1), each.help);
    std::vector<OptionInfo> options = verb.options;
    options.insert(options.end(), outer.begin(), outer.end());
    for (const OptionInfo& option : options) {
        if (option.isArgument)
            continue;
        for (const std::string& name : option.names) {
            const auto isName = [&name](const auto& known) { return known.first == name; };
            if (std::ranges::any_of(place.options, isName))
                continue; // the verb's own option hides the outer one
            place.options.emplace_back(name, option.help);
            if (!option.words.empty())
                place.words.emplace_back(name, option.words);
            if (!option.value.empty())
                place.withValue.push_back(name);
        }
    }
    places.push_back(std::move(place));
    for (const VerbInfo& each : verb.verbs)
        collect(each, options, places);
}

std::vector<Place> placesOf(const VerbInfo& program)
{
    std::vector<Place> places;
    collect(program, {}, places);
    return places;
}

template<typename Range, typename Text>
std::string joined(const Range& range, const Text& text, const char* between = " ")
{
    std::string all;
    for (const auto& each : range)
        all += (all.empty() ? "" : between) + text(each);
    return all;
}

// Puts text in single quotes, for any of the shells; fish also interprets backslashes there.
std::string quoted(const std::string& text, bool isFish = false)
{
    std::string all = "'";
    for (const char c : text) {
        if (c == '\'')
            all += isFish ? "\\'" : "'\\''";
        else if (c == '\\' && isFish)
            all += "\\\\";
        else
            all += c == '\n' ? ' ' : c;
    }
    return all + "'";
}

std::string nameOf(const std::pair<std::string, std::string>& each)
{
    return each.first;
}

// A function for bash and zsh that finds the verb: it sets `path`, and whether the previous word takes a
// value.
std::string pathFunction(const std::vector<Place>& places)
{
    std::string text =
        "__sandglass_path() {\n    local word skip= next\n    path=\n    for word in \"$@\"; do\n"
        "        if [ -n \"$skip\" ]; then skip=; continue; fi\n"
        "        next=\"${path:+$path }$word\"\n"
        "        case \"$next\" in\n            "
        + joined(
            places, [](const Place& place) { return quoted(place.path); }, "|")
        + ") path=$next; continue ;;\n        esac\n        case \"$path:$word\" in\n";
    for (const Place& place : places)
        if (!place.withValue.empty())
            text += "            "
                + joined(
                        place.withValue,
                        [&](const std::string& name) { return quoted(place.path + ":" + name); }, "|")
                + ") skip=1 ;;\n";
    return text + "        esac\n    done\n}\n";
}

std::string bashScript(const std::vector<Place>& places)
{
    std::string text =
        "# bash completion of sandglass; made by: sandglass completions bash\n" + pathFunction(places);
    text += "_sandglass() {\n    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path "
            "words=\n"
            "    __sandglass_path \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"\n    case \"$path:$before\" in\n";
    for (const Place& place : places)
        for (const auto& [name, words] : place.words)
            text += "        " + quoted(place.path + ":" + name)
                + ") words=" + quoted(joined(words, [](const std::string& word) { return word; })) + " ;;\n";
    for (const Place& place : places) {
        std::vector<std::string> others;
        for (const std::string& name : place.withValue)
            if (std::ranges::none_of(place.words, [&](const auto& known) { return known.first == name; }))
                others.push_back(quoted(place.path + ":" + name));
        if (!others.empty())
            text += "        "
                + joined(
                        others, [](const std::string& word) { return word; }, "|")
                + ") COMPREPLY=(); return ;;\n"; // -o default then completes files
    }
    text += "        *) case \"$path\" in\n";
    for (const Place& place : places)
        text += "            " + quoted(place.path) + ") words="
            + quoted(joined(place.verbs, nameOf) + " " + joined(place.options, nameOf)) + " ;;\n";
    return text
        + "        esac ;;\n    esac\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
          "complete -o default -F _sandglass sandglass\n";
}

std::string zshScript(const std::vector<Place>& places)
{
    const auto described = [](const std::pair<std::string, std::string>& each) {
        std::string name = each.first;
        for (std::size_t i = name.find(':'); i != std::string::npos; i = name.find(':', i + 2))
            name.insert(i, "\\");
        return quoted(name + ":" + each.second);
    };
    std::string text = "#compdef sandglass\n# made by: sandglass completions zsh\n" + pathFunction(places);
    text += "_sandglass() {\n    local path before=${words[CURRENT-1]}\n    local -a verbs options\n"
            "    __sandglass_path \"${(@)words[2,CURRENT-1]}\"\n    case \"$path:$before\" in\n";
    for (const Place& place : places)
        for (const auto& [name, words] : place.words)
            text += "        " + quoted(place.path + ":" + name) + ") compadd -- "
                + joined(words, [](const std::string& word) { return quoted(word); }) + "; return ;;\n";
    for (const Place& place : places)
        if (!place.withValue.empty())
            text += "        "
                + joined(
                        place.withValue,
                        [&](const std::string& name) { return quoted(place.path + ":" + name); }, "|")
                + ") _files; return ;;\n";
    text += "    esac\n    case \"$path\" in\n";
    for (const Place& place : places)
        text += "        " + quoted(place.path) + ")\n            verbs=(" + joined(place.verbs, described)
            + ")\n            options=(" + joined(place.options, described) + ") ;;\n";
    return text
        + "    esac\n    _describe -t verbs verb verbs\n    [[ $PREFIX == -* ]] && _describe -t options "
          "option options\n"
          "    (( ${#verbs} )) || _files\n}\n_sandglass \"$@\"\n";
}

std::string fishScript(const std::vector<Place>& places)
{
    std::string text =
        "# fish completion of sandglass; made by: sandglass completions fish\n"
        "function __sandglass_at\n    set -l path\n    set -l skip\n"
        "    for word in (commandline -opc)[2..-1]\n"
        "        if test -n \"$skip\"\n            set skip\n            continue\n        end\n"
        "        set -l next (string trim -- \"$path $word\")\n        switch \"$next\"\n            case "
        + joined(places, [](const Place& place) { return quoted(place.path, true); })
        + "\n                set path $next\n                continue\n        end\n        switch "
          "\"$path:$word\"\n";
    for (const Place& place : places)
        if (!place.withValue.empty())
            text += "            case "
                + joined(place.withValue,
                         [&](const std::string& name) { return quoted(place.path + ":" + name, true); })
                + "\n                set skip 1\n";
    text += "        end\n    end\n    test \"$path\" = \"$argv[1]\"\nend\n";
    for (const Place& place : places) {
        const std::string start =
            "complete -c sandglass -n " + quoted("__sandglass_at " + quoted(place.path, true), true);
        for (const auto& [name, help] : place.verbs)
            text += start + " -f -a " + name + " -d " + quoted(help, true) + "\n";
        for (const auto& [name, help] : place.options) {
            text += start + (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
            const auto known =
                std::ranges::find(place.words, name, [](const auto& each) { return each.first; });
            if (known != place.words.end())
                text += " -x -a "
                    + quoted(joined(known->second, [](const std::string& word) { return word; }), true);
            else if (std::ranges::find(place.withValue, name) != place.withValue.end())
                text += " -r";
            text += " -d " + quoted(help, true) + "\n";
        }
    }
    return text;
}

} // namespace

std::optional<std::string> completionScript(const VerbInfo& program, const std::string& shell)
{
    const std::vector<Place> places = placesOf(program);
    if (shell == "bash")
        return bashScript(places);
    if (shell == "zsh")
        return zshScript(places);
    if (shell == "fish")
        return fishScript(places);
    return std::nullopt;
}

} // namespace sg::cli
