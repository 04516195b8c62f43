#include "app/cli/options.h"

#include "core/graph/near_name.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace sg::cli {
namespace {

// CLI11 speaks of "a subcommand" where the first word is none.
std::string usageProblem(const CLI::App& app, int argc, char** argv, const CLI::ParseError& error)
{
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands({}))
        names.push_back(verb->get_name());
    const std::vector<std::string_view> verbs(names.begin(), names.end());
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word.starts_with('-'))
            continue;
        if (std::find(verbs.begin(), verbs.end(), word) == verbs.end())
            return "there is no verb '" + std::string(word) + "'" + sg::graph::didYouMean(word, verbs);
        return error.what();
    }
    for (int i = 1; i < argc; ++i) {
        const std::string option(std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('=')));
        if (option.find_first_not_of('-') != std::string::npos && app.get_option_no_throw(option) == nullptr)
            return "there is no option '" + option + "'";
    }
    return app.get_subcommands().empty() ? "name a verb" : error.what();
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
