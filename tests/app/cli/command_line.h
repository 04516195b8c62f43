#pragma once

// Drives the real `sandglass` the way a person at a shell does.

#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace sg::test {

struct Answer {
    int exit = -1; // minus the signal's number where one ended it
    std::string out;
    std::string err;

    // The value that stdout holds; null where it is no JSON.
    [[nodiscard]] Value json() const
    {
        auto value = parseJson(out);
        return value ? std::move(*value) : Value();
    }
    // One document a line.
    [[nodiscard]] ValueList jsonLines() const
    {
        ValueList lines;
        for (std::size_t start = 0; start < out.size();) {
            const std::size_t end = out.find('\n', start);
            auto value = parseJson(std::string_view(out).substr(start, end - start));
            lines.push_back(value ? std::move(*value) : Value());
            start = end == std::string::npos ? out.size() : end + 1;
        }
        return lines;
    }
    // Everything that a failing test prints.
    [[nodiscard]] std::string whole() const
    {
        return "exit " + std::to_string(exit) + "\nstdout: " + out.substr(0, 4000)
            + "\nstderr: " + err.substr(0, 4000);
    }
};

// An example in a folder of its own, and the program that works on it.
class CommandLine {
public:
    // `example` is copied from resources/examples; empty: an empty project.
    explicit CommandLine(const std::string& example = {})
    {
        // Where root's sandboxes run as another user, the way to the project must be open.
        std::filesystem::permissions(m_folder.path(), std::filesystem::perms(0755));
        std::filesystem::create_directories(m_folder / "runtime");
        std::filesystem::permissions(m_folder / "runtime", std::filesystem::perms(0700));
        std::filesystem::create_directories(project());
        if (!example.empty())
            std::filesystem::copy(std::filesystem::path(SG_SOURCE_DIR "/resources/examples") / example,
                                  project(), std::filesystem::copy_options::recursive);
        std::filesystem::remove_all(project() / ".sandglass");
        for (const char* name : { "PATH", "HOME", "XDG_DATA_HOME", "SANDGLASS_PYTHON", "DOCKER_HOST",
                                  "SANDGLASS_SESSIONS_MEMORY_MB" })
            if (const char* value = std::getenv(name))
                environment.push_back(std::string(name) + "=" + value);
        environment.push_back("XDG_RUNTIME_DIR=" + (m_folder / "runtime").string());
    }

    [[nodiscard]] std::filesystem::path project() const { return m_folder / "project"; }
    [[nodiscard]] std::filesystem::path database() const
    {
        return project() / ".sandglass/checkpoints.sqlite";
    }
    [[nodiscard]] std::filesystem::path outside() const { return m_folder.path(); }
    std::filesystem::path write(const std::string& name, std::string_view content) const
    {
        return m_folder.write("project/" + name, content);
    }

    // A graph of tests/data/app.
    void take(const std::string& name) const
    {
        const std::string file = name + ".graph.json";
        std::filesystem::copy(std::filesystem::path(SG_SOURCE_DIR "/tests/data/app") / file,
                              project() / file);
    }

    [[nodiscard]] ProcessSpec spec(std::vector<std::string> arguments) const
    {
        ProcessSpec spec;
        spec.program = SG_BIN_DIR "/sandglass";
        spec.arguments = std::move(arguments);
        spec.environment = environment;
        spec.workingFolder = project().string();
        return spec;
    }

    // In the project's folder. exit -1000: it could not be started, or did not end in time.
    Answer run(std::vector<std::string> arguments, const std::string& input = {},
               std::chrono::seconds timeout = std::chrono::seconds(60)) const
    {
        return execute(spec(std::move(arguments)), input, timeout);
    }
    static Answer execute(ProcessSpec spec, const std::string& input = {},
                          std::chrono::seconds timeout = std::chrono::seconds(60))
    {
        auto output = runProcess(std::move(spec), input, timeout, 256U << 20);
        if (!output)
            return { -1000, {}, output.error().message };
        return { output->exit.signal != 0 ? -output->exit.signal : output->exit.code, std::move(output->out),
                 std::move(output->err) };
    }

    void replaceEnvironment(const std::string& name, const std::string& value)
    {
        std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name + "="); });
        environment.push_back(name + "=" + value);
    }

    void removeEnvironment(const std::string& name)
    {
        std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name + "="); });
    }

    std::vector<std::string> environment;

private:
    TempDir m_folder;
};

// "a b c" of a map, in its order.
inline std::string keysOf(const Value& value)
{
    std::string text;
    if (value.isMap())
        for (const auto& [key, item] : value.asMap())
            text += (text.empty() ? "" : " ") + key.asString();
    return text;
}

// "run_id:string supersteps:int …": names and types of a document, in its order.
inline std::string shapeOf(const Value& value)
{
    static const char* const kNames[] = { "null",   "bool",  "int",  "int", "double",
                                          "string", "bytes", "list", "map", "ext" };
    std::string text;
    if (value.isMap())
        for (const auto& [key, item] : value.asMap())
            text += (text.empty() ? "" : " ") + key.asString() + ":"
                + kNames[static_cast<std::size_t>(item.kind())];
    return text;
}

} // namespace sg::test

// Prints all that the program said where the exit code is another.
#define SG_EXIT(answer, code)                                                                                \
    do {                                                                                                     \
        const sg::test::Answer& sgAnswer = (answer);                                                         \
        QVERIFY2(sgAnswer.exit == (code), sgAnswer.whole().c_str());                                         \
    } while (false)
