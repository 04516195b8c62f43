#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

// A plain interface for the options of verbs. Only one file uses CLI11, whose templates take seconds to
// compile in each file that includes them.
namespace sg::cli {

// A custom rule for an option's text.
struct Check {
    std::function<std::string(const std::string& text)> problem; // "" where the text is valid
    std::string kind; // such as COUNT, for the help
};

// A handle to an option that the command line owns; copies refer to the same one.
class Option {
public:
    explicit Option(CLI::Option* option)
        : m_option(option)
    {
    }

    Option required() const;
    Option oneOf(std::initializer_list<const char*> words) const;
    Option oneOf(const std::vector<std::string>& words) const;
    Option within(int least, int most) const;
    Option within(std::int64_t least, std::int64_t most) const;
    Option within(std::int64_t least, std::int64_t most, const std::string& kind) const;
    Option within(double least, double most) const;
    Option positive() const;
    Option check(const Check& rule) const;
    Option excludes(const Option& other) const;
    Option excludes(const std::string& name) const;
    Option variable(const std::string& name) const; // environment variable used where the words give no value

private:
    CLI::Option* m_option;
};

// A handle to a verb, or to the program itself as the outermost verb. Variables that options write to must
// live until the command line has run.
class Verb {
public:
    explicit Verb(CLI::App* app)
        : m_app(app)
    {
    }

    Verb add(const std::string& name, const std::string& help) const; // a verb beneath this one
    void needsVerb() const;
    [[nodiscard]] bool hasVerb() const; // whether the words named a verb beneath this one
    void onRun(std::function<void()> run) const;
    void footer(const std::string& text) const;

    // Names such as "-o,--output" for an option, NAME for an argument.
    Option option(const std::string& names, std::string& text, const std::string& help) const;
    Option option(const std::string& names, std::optional<std::string>& text, const std::string& help) const;
    Option option(const std::string& names, std::vector<std::string>& texts, const std::string& help) const;
    Option option(const std::string& names, int& number, const std::string& help) const;
    Option option(const std::string& names, std::int64_t& number, const std::string& help) const;
    Option option(const std::string& names, std::uint16_t& number, const std::string& help) const;
    Option option(const std::string& names, std::size_t& number, const std::string& help) const;
    Option option(const std::string& names, std::optional<std::int64_t>& number,
                  const std::string& help) const;
    Option option(const std::string& names, double& number, const std::string& help) const;
    Option option(const std::string& names, std::optional<double>& number, const std::string& help) const;
    // Adds an option that may be given as "".
    Option option(const std::string& names, const std::function<void(const std::string&)>& take,
                  const std::string& help) const;
    Option flag(const std::string& names, bool& isSet, const std::string& help) const;
    Option flag(const std::string& names, std::function<void()> set, const std::string& help) const;

    // A group of options of which a certain number must be given.
    [[nodiscard]] Verb group(const std::string& name, const std::string& help = {}) const;
    void needsOption(std::size_t number) const;
    void needsOption(std::size_t least, std::size_t most) const;

    // Throws the usage error of a missing required(), for use in onRun().
    [[noreturn]] static void throwMissing(const std::string& name);

private:
    CLI::App* m_app;
};

struct VerbInfo;

class CommandLine {
public:
    CommandLine(const std::string& program, const std::string& description, const std::string& version);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    [[nodiscard]] Verb root() const;
    // Sets the complete command below a verb's help. `path`: "session exec"; std::logic_error for an unknown
    // verb.
    void setExample(const std::string& path, const std::string& command);
    [[nodiscard]] VerbInfo described() const; // everything that was added
    // Runs the verb that the words name, or prints help or version. Returns what is wrong with the words, if
    // anything, and where help is.
    [[nodiscard]] std::optional<std::string> run(int argc, char** argv);
    // For what a verb prints while it runs: the commands in the text work on the same project and database
    // ("sandglass threads" becomes "sandglass threads --project there" as far as these were given).
    [[nodiscard]] std::string withPlace(const std::string& text) const;

private:
    std::unique_ptr<CLI::App> m_app;
    std::map<std::string, std::string> m_examples; // by path
};

} // namespace sg::cli
