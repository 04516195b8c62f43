#include "app/cli/options.h"

#include "app/cli/shell_word.h"
#include "app/cli/verb_info.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/graph/near_name.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sg::cli {
namespace {

std::vector<std::string> verbsOf(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands({}))
        if (!verb->get_name().empty()) // empty: a group of options
            names.push_back(verb->get_name());
    return names;
}

void addOptionsOf(const CLI::App& app, std::vector<std::string>& names)
{
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    for (const CLI::App* group : app.get_subcommands({}))
        if (group->get_name().empty())
            addOptionsOf(*group, names);
}

std::string didYouMean(const std::string& word, const std::vector<std::string>& names)
{
    return sg::graph::didYouMean(word, std::vector<std::string_view>(names.begin(), names.end()));
}

// The verb that the words lead to, with those above it.
class VerbPath {
public:
    explicit VerbPath(const CLI::App& program)
        : m_apps{ &program }
        , m_text(program.get_name())
    {
    }
    [[nodiscard]] const CLI::App& last() const { return *m_apps.back(); }
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool isProgram() const { return m_apps.size() == 1; }

    // False: the present verb has no such verb.
    bool enter(const std::string& word)
    {
        const std::vector<std::string> verbs = verbsOf(last());
        if (std::ranges::find(verbs, word) == verbs.end())
            return false;
        m_apps.push_back(last().get_subcommand(word));
        m_text += " " + word;
        return true;
    }
    // A word that is no verb may be a positional argument.
    [[nodiscard]] bool takesWords() const
    {
        return std::ranges::any_of(last().get_options(),
                                   [](const CLI::Option* option) { return option->get_positional(); });
    }
    // Also finds options of the verbs above.
    [[nodiscard]] const CLI::Option* option(const std::string& name) const
    {
        for (const CLI::App* app : m_apps)
            if (const CLI::Option* option = app->get_option_no_throw(name))
                return option;
        return nullptr;
    }
    [[nodiscard]] std::vector<std::string> options() const
    {
        std::vector<std::string> names;
        for (const CLI::App* app : m_apps)
            addOptionsOf(*app, names);
        return names;
    }

private:
    std::vector<const CLI::App*> m_apps;
    std::string m_text;
};

bool isOption(std::string_view word)
{
    return word.size() > 2
        ? word.starts_with("--")
        : word.size() == 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

// Some verbs take a graph, others find the project by its option: that is easily confused.
std::string superfluous(const VerbPath& at, const std::string& word)
{
    std::error_code ignored;
    const bool isProject = at.option("--project") != nullptr && std::filesystem::exists(word, ignored);
    return "'" + word + "' is not expected"
        + (isProject ? "; " + at.text() + " finds the project by --project=" + word : std::string());
}

// Returns "" where the words are correct; `at` becomes the verb that they name.
std::string wordProblem(VerbPath& at, int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--")
            break;
        if (isOption(word)) {
            const std::string name = word.substr(0, word.find('='));
            const CLI::Option* option = at.option(name);
            if (option == nullptr)
                return "there is no option '" + name + "'" + (at.isProgram() ? "" : " of " + at.text())
                    + didYouMean(name, at.options());
            if (option->get_items_expected_max() > 0 && word.find('=') == std::string::npos)
                ++i; // its value
            continue;
        }
        const std::vector<std::string> verbs = verbsOf(at.last());
        if (!verbs.empty() && !at.enter(word) && !at.takesWords())
            return "there is no verb '" + word + "'" + (at.isProgram() ? "" : " of " + at.text())
                + didYouMean(word, verbs);
        if (verbs.empty() && !at.takesWords())
            return superfluous(at, word);
    }
    return {};
}

// CLI11's own errors speak of "a subcommand" for a missing verb, and of "an argument" for a mistyped option.
std::string usageProblem(const CLI::App& program, int argc, char** argv, const CLI::ParseError& error)
{
    VerbPath at(program);
    std::string problem = wordProblem(at, argc, argv);
    const std::vector<std::string> verbs = verbsOf(at.last());
    if (problem.empty() && !verbs.empty()) {
        std::string all;
        for (const std::string& verb : verbs)
            all += (all.empty() ? "" : ", ") + verb;
        problem = "name a verb: " + all;
    }
    if (problem.empty())
        problem = error.what();
    return problem + (problem.ends_with('?') ? " See: " : ". See: ") + at.text() + " --help";
}

// The words of a type's name such as "TEXT:{exact,stored}", the form of IsMember.
std::vector<std::string> wordsIn(const std::string& type)
{
    const std::size_t open = type.find('{');
    const std::size_t close = type.rfind('}');
    std::vector<std::string> words;
    if (open == std::string::npos || close == std::string::npos || close < open)
        return words;
    std::istringstream inner(type.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(inner, word, ',');)
        words.push_back(word);
    return words;
}

OptionInfo describedOption(const CLI::Option& option)
{
    OptionInfo info;
    for (const std::string& name : option.get_snames())
        info.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        info.names.push_back("--" + name);
    info.isArgument = option.get_positional();
    if (info.isArgument)
        info.names = { option.get_name(true) };
    info.help = option.get_description();
    info.isRequired = option.get_required();
    if (option.get_items_expected_max() == 0)
        return info;
    const std::string type = option.get_type_name();
    info.words = wordsIn(type);
    info.value = type.substr(0, type.find_first_of(":{ "));
    if (info.value.empty())
        info.value = "VALUE";
    return info;
}

void describeOptions(const CLI::App& app, std::vector<OptionInfo>& options)
{
    for (const CLI::Option* option : app.get_options())
        options.push_back(describedOption(*option));
    for (const CLI::App* group : app.get_subcommands({}))
        if (group->get_name().empty())
            describeOptions(*group, options);
}

// `path`: the verb's, without the program's name.
VerbInfo describedVerb(const CLI::App& app, const std::string& path,
                       const std::map<std::string, std::string>& examples)
{
    VerbInfo info;
    info.path = path;
    info.help = app.get_description();
    if (const auto found = examples.find(path); found != examples.end())
        info.example = found->second;
    describeOptions(app, info.options);
    for (const CLI::App* verb : app.get_subcommands({}))
        if (!verb->get_name().empty())
            info.verbs.push_back(describedVerb(
                *verb, path.empty() ? verb->get_name() : path + " " + verb->get_name(), examples));
    return info;
}

// The verb that runs.
const CLI::App& runningVerb(const CLI::App& program)
{
    const CLI::App* at = &program;
    for (bool isLast = false; !isLast;) {
        isLast = true;
        for (const CLI::App* verb : at->get_subcommands())
            if (!verb->get_name().empty()) {
                at = verb;
                isLast = false;
                break;
            }
    }
    return *at;
}

std::string given(const CLI::App& verb, const std::string& option)
{
    const CLI::Option* found = verb.get_option_no_throw(option);
    return found != nullptr && found->count() > 0 && !found->results().empty() ? found->results().back()
                                                                               : std::string();
}

constexpr std::string_view kGraphWord = " GRAPH";

} // namespace

Option Option::required() const
{
    m_option->required();
    return *this;
}

Option Option::oneOf(std::initializer_list<const char*> words) const
{
    return oneOf(std::vector<std::string>(words.begin(), words.end()));
}

Option Option::oneOf(const std::vector<std::string>& words) const
{
    m_option->check(CLI::IsMember(words));
    return *this;
}

Option Option::within(int least, int most) const
{
    m_option->check(CLI::Range(least, most));
    return *this;
}

Option Option::within(std::int64_t least, std::int64_t most) const
{
    m_option->check(CLI::Range(least, most));
    return *this;
}

Option Option::within(std::int64_t least, std::int64_t most, const std::string& kind) const
{
    m_option->check(CLI::Range(least, most, kind));
    return *this;
}

Option Option::within(double least, double most) const
{
    m_option->check(CLI::Range(least, most));
    return *this;
}

Option Option::positive() const
{
    m_option->check(CLI::PositiveNumber);
    return *this;
}

Option Option::check(const Check& rule) const
{
    m_option->check(
        CLI::Validator([rule](const std::string& text) { return rule.problem(text); }, rule.kind));
    return *this;
}

Option Option::excludes(const Option& other) const
{
    m_option->excludes(other.m_option);
    return *this;
}

Option Option::excludes(const std::string& name) const
{
    m_option->excludes(name);
    return *this;
}

Option Option::variable(const std::string& name) const
{
    m_option->envname(name);
    return *this;
}

Verb Verb::add(const std::string& name, const std::string& help) const
{
    return Verb(m_app->add_subcommand(name, help));
}

void Verb::needsVerb() const
{
    m_app->require_subcommand(1);
}

bool Verb::hasVerb() const
{
    return !m_app->get_subcommands().empty();
}

void Verb::onRun(std::function<void()> run) const
{
    m_app->callback(std::move(run));
}

void Verb::footer(const std::string& text) const
{
    m_app->footer(text);
}

Option Verb::option(const std::string& names, std::string& text, const std::string& help) const
{
    return Option(m_app->add_option(names, text, help));
}

Option Verb::option(const std::string& names, std::optional<std::string>& text, const std::string& help) const
{
    return Option(m_app->add_option(names, text, help));
}

Option Verb::option(const std::string& names, std::vector<std::string>& texts, const std::string& help) const
{
    return Option(m_app->add_option(names, texts, help));
}

Option Verb::option(const std::string& names, int& number, const std::string& help) const
{
    return Option(m_app->add_option(names, number, help));
}

Option Verb::option(const std::string& names, std::int64_t& number, const std::string& help) const
{
    return Option(m_app->add_option(names, number, help));
}

Option Verb::option(const std::string& names, std::uint16_t& number, const std::string& help) const
{
    return Option(m_app->add_option(names, number, help));
}

Option Verb::option(const std::string& names, std::size_t& number, const std::string& help) const
{
    return Option(m_app->add_option(names, number, help));
}

Option Verb::option(const std::string& names, std::optional<std::int64_t>& number,
                    const std::string& help) const
{
    return Option(m_app->add_option(names, number, help));
}

Option Verb::option(const std::string& names, double& number, const std::string& help) const
{
    return Option(m_app->add_option(names, number, help));
}

Option Verb::option(const std::string& names, std::optional<double>& number, const std::string& help) const
{
    return Option(m_app->add_option(names, number, help));
}

Option Verb::option(const std::string& names, const std::function<void(const std::string&)>& take,
                    const std::string& help) const
{
    return Option(m_app->add_option_function<std::string>(names, take, help));
}

Option Verb::flag(const std::string& names, bool& isSet, const std::string& help) const
{
    return Option(m_app->add_flag(names, isSet, help));
}

Option Verb::flag(const std::string& names, std::function<void()> set, const std::string& help) const
{
    return Option(m_app->add_flag_callback(names, std::move(set), help));
}

Verb Verb::group(const std::string& name, const std::string& help) const
{
    return Verb(m_app->add_option_group(name, help));
}

void Verb::needsOption(std::size_t number) const
{
    m_app->require_option(static_cast<int>(number));
}

void Verb::needsOption(std::size_t least, std::size_t most) const
{
    m_app->require_option(least, most);
}

void Verb::throwMissing(const std::string& name)
{
    throw CLI::RequiredError(name);
}

CommandLine::CommandLine(const std::string& program, const std::string& description,
                         const std::string& version)
    : m_app(std::make_unique<CLI::App>(description, program))
{
    m_app->set_version_flag("--version", version);
    m_app->require_subcommand(1);
    m_app->fallthrough(); // program options may come before or after the verb
}

CommandLine::~CommandLine() = default;

Verb CommandLine::root() const
{
    return Verb(m_app.get());
}

void CommandLine::setExample(const std::string& path, const std::string& command)
{
    CLI::App* app = m_app.get();
    std::istringstream words(path);
    for (std::string word; words >> word;) {
        const std::vector<std::string> verbs = verbsOf(*app);
        if (std::ranges::find(verbs, word) == verbs.end())
            throw std::logic_error("there is no verb '" + path + "'");
        app = app->get_subcommand(word);
    }
    const std::string below = app->get_footer();
    app->footer("Example: " + command + (below.empty() ? "" : "\n" + below));
    m_examples[path] = command;
}

VerbInfo CommandLine::described() const
{
    return describedVerb(*m_app, {}, m_examples);
}

std::optional<std::string> CommandLine::run(int argc, char** argv)
{
    try {
        m_app->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0)
            return usageProblem(*m_app, argc, argv, error);
        m_app->exit(error); // --help, --version
    }
    return std::nullopt;
}

std::string CommandLine::withPlace(const std::string& text) const
{
    const CLI::App& verb = runningVerb(*m_app);
    const std::string database = given(verb, "--db");
    const std::string graph = given(verb, "GRAPH");
    const std::string project = graph.empty() ? given(verb, "--project") : graph;
    if (database.empty() && project.empty())
        return text;
    const std::string program = m_app->get_name() + " ";
    std::string completed;
    std::size_t done = 0;
    for (std::size_t at = text.find(program); at != std::string::npos; at = text.find(program, done)) {
        std::size_t end = at + program.size() - 1; // of the words that name a verb
        VerbPath path(*m_app);
        for (std::size_t next = end;
             next < text.size() && text[next] == ' ' && !verbsOf(path.last()).empty();) {
            const std::size_t stop =
                std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", next + 1), text.size());
            if (!path.enter(text.substr(next + 1, stop - next - 1)))
                break;
            next = end = stop;
        }
        completed += text.substr(done, end - done);
        done = end;
        const std::string_view rest =
            std::string_view(text).substr(end, std::min(text.find(program, end), text.size()) - end);
        if (path.isProgram() || rest.starts_with(" --help"))
            continue;
        const auto lacks = [&](const char* option) {
            return path.last().get_option_no_throw(option) != nullptr
                && rest.find(std::string(" ") + option) == std::string_view::npos;
        };
        if (!database.empty() && lacks("--db"))
            completed += " --db " + shellWord(checkpoint::shownAddress(database));
        if (!project.empty() && lacks("--project"))
            completed += " --project " + shellWord(project);
        if (!project.empty() && rest.starts_with(kGraphWord)) {
            completed += " " + shellWord(project);
            done += kGraphWord.size();
        }
    }
    return completed + text.substr(done);
}

} // namespace sg::cli
