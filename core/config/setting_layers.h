#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/sessions/session_mode.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Where a session's settings come from and which of them counts. Weakest first:
//   built-in < graph file < env file < environment < command line
namespace sg::config {

enum class SettingLayer { BuiltIn, Graph, EnvFile, Environment, CommandLine };

struct SettingValue {
    std::string key; // one of settingKeys()
    std::string text;
    SettingLayer layer = SettingLayer::BuiltIn;
    std::string
        from; // for people: "SESSION_STORAGE in the environment", "/sandbox/storage of the graph file"
    bool isNamed = false; // of an env file: this user named it, so it is no word of the project's

    [[nodiscard]] bool isThisUsers() const { return isNamed || layer >= SettingLayer::Environment; }
};

struct SettingKey {
    enum class Kind { Word, Mode, Text, Folder, Count, Number, Names };
    std::string_view name;
    std::string_view variable; // of environment and env file; "": none
    Kind kind = Kind::Text;
    double least = 0; // of Count and Number
    double most = 0;
    std::string_view words; // of Word: "a b c"
    std::string_view help;
};
std::span<const SettingKey> settingKeys();
const SettingKey* findSettingKey(std::string_view name);

// All that was set, in any order.
using SettingValues = std::vector<SettingValue>;

using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;
// An empty variable counts as not set. Unknown ones are not looked at.
SettingValues environmentSettings(const EnvironmentLookup& lookup);
std::optional<std::string> processEnvironment(const std::string& name);
// Errc::NotFound, InvalidArgument with file and line. What is no setting of ours is left alone.
Result<SettingValues> envFileSettings(const std::filesystem::path& file);
SettingValues graphSettings(const graph::SandboxSettings& sandbox);
// "KEY=VALUE" of --set. Errc::InvalidArgument for a key that there is not.
Result<SettingValue> commandLineSetting(const std::string& text);

// What counts, with where it came from. Texts are checked: numbers are in range, words are known.
struct MergedSettings {
    sessions::SessionMode mode;
    std::map<std::string, SettingValue, std::less<>> values; // no mode, storage and datasets: see `mode`
    std::string storageFrom;
    std::string datasetsFrom;

    [[nodiscard]] const std::string* text(std::string_view key) const;
    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] std::string from(std::string_view key) const; // "built in" where nobody set it
};

// Pure. Errc::InvalidArgument names the setting, its place and what there is instead; so it does where one
// layer contradicts itself ("mode": "TMPFS_API" beside "storage": "BIND").
Result<MergedSettings> mergeSettings(const SettingValues& values);

} // namespace sg::config
