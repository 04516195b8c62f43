#include "app/cli/manual.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sg::cli {
namespace {

// troff interprets backslashes everywhere, minus signs as hyphens, and lines that begin with a dot or a
// quote.
std::string plainText(const std::string& text)
{
    std::string all;
    for (const char c : text) {
        if (c == '\\')
            all += "\\e";
        else if (c == '-')
            all += "\\-";
        else if ((c == '.' || c == '\'') && (all.empty() || all.back() == '\n'))
            all += std::string("\\&") + c;
        else
            all += c;
    }
    return all;
}

std::string pageName(const std::string& path)
{
    std::string name = path.empty() ? "sandglass" : "sandglass-" + path;
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string upper(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string command(const VerbInfo& verb)
{
    return verb.path.empty() ? "sandglass" : "sandglass " + verb.path;
}

std::string usage(const VerbInfo& verb)
{
    std::string text = "\\fB" + plainText(command(verb)) + "\\fR";
    if (!verb.options.empty())
        text += " [\\fIOPTION\\fR]...";
    if (!verb.verbs.empty())
        text += " \\fIVERB\\fR";
    for (const OptionInfo& option : verb.options)
        if (option.isArgument)
            text += (option.isRequired ? " \\fI" : " [\\fI") + plainText(option.names.front())
                + (option.isRequired ? "\\fR" : "\\fR]");
    return text + "\n";
}

std::string optionText(const OptionInfo& option)
{
    std::string names;
    for (const std::string& name : option.names)
        names += (names.empty() ? "\\fB" : ", \\fB") + plainText(name) + "\\fR";
    if (!option.value.empty() && !option.isArgument)
        names += " \\fI" + plainText(option.value) + "\\fR";
    std::string help = option.help;
    if (!option.words.empty()) {
        help += help.empty() ? "One of: " : ". One of: ";
        for (std::size_t i = 0; i < option.words.size(); ++i)
            help += (i == 0 ? "" : ", ") + option.words[i];
    }
    return ".TP\n" + names + "\n" + (help.empty() ? std::string("\\&") : plainText(help)) + "\n";
}

void addPages(const VerbInfo& verb, const std::string& version, const std::string& footer,
              std::vector<ManualPage>& pages)
{
    const std::string name = pageName(verb.path);
    std::string text = ".TH " + upper(plainText(name)) + " 1 \"\" \"" + version
        + "\" \"Sandglass\"\n.SH NAME\n" + plainText(name) + " \\- " + plainText(verb.help)
        + "\n.SH SYNOPSIS\n" + usage(verb);
    if (!verb.verbs.empty()) {
        text += ".SH VERBS\n";
        for (const VerbInfo& each : verb.verbs)
            text += ".TP\n\\fB" + plainText(each.path.substr(each.path.rfind(' ') + 1)) + "\\fR\n"
                + plainText(each.help) + "\n";
    }
    if (!verb.options.empty())
        text += ".SH OPTIONS\n";
    for (const OptionInfo& option : verb.options)
        text += optionText(option);
    if (!verb.example.empty())
        text += ".SH EXAMPLE\n.nf\n" + plainText(verb.example) + "\n.fi\n";
    if (verb.path.empty())
        text += ".SH EXIT STATUS\n.nf\n" + plainText(footer) + "\n.fi\n";
    std::string also;
    if (!verb.path.empty())
        also = "\\fBsandglass\\fR(1)";
    for (const VerbInfo& each : verb.verbs)
        also += (also.empty() ? "\\fB" : ", \\fB") + plainText(pageName(each.path)) + "\\fR(1)";
    text += ".SH SEE ALSO\n" + also + "\n.PP\nThe guide: \\fBsandglass help\\fR\n";
    pages.push_back({ name + ".1", std::move(text) });
    for (const VerbInfo& each : verb.verbs)
        addPages(each, version, footer, pages);
}

} // namespace

std::vector<ManualPage> manualPages(const VerbInfo& program, const std::string& version,
                                    const std::string& footer)
{
    std::vector<ManualPage> pages;
    addPages(program, version, footer, pages);
    return pages;
}

} // namespace sg::cli
