#include "app/cli/options.h"

#include "core/graph/near_name.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace sg::cli {
namespace {

std::vector<std::string> verbsOf(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands({}))
        if (!verb->get_name().empty()) // a group of options
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

// The verb that the words have come to, with those above it.
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

    // False: there is no such verb here.
    bool enter(const std::string& word)
    {
        const std::vector<std::string> verbs = verbsOf(last());
        if (std::ranges::find(verbs, word) == verbs.end())
            return false;
        m_apps.push_back(last().get_subcommand(word));
        m_text += " " + word;
        return true;
    }
    // Those of the verbs above are known, too.
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

// "" where nothing is wrong with the words themselves, and `at` is the verb that they name.
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
        if (!verbs.empty() && !at.enter(word))
            return "there is no verb '" + word + "'" + (at.isProgram() ? "" : " of " + at.text())
                + didYouMean(word, verbs);
    }
    return {};
}

// CLI11 speaks of "a subcommand" where a verb is missing, and of "an argument" where an option is mistyped.
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

} // namespace

Option Option::required() const
{
    m_option->required();
    return *this;
}

Option Option::oneOf(std::initializer_list<const char*> words) const
{
    m_option->check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())));
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
    m_app->fallthrough(); // an option of the program may stand before or after the verb
}

CommandLine::~CommandLine() = default;

Verb CommandLine::root() const
{
    return Verb(m_app.get());
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

} // namespace sg::cli
