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
#include <utility>
#include <vector>

// These functions collect a session's settings and decide which of them count. The layers, weakest first,
// are:
//   built-in < graph file < env file < environment < command line
namespace sg::config {

enum class SettingLayer { BuiltIn, Graph, EnvFile, Environment, CommandLine };

struct SettingValue {
    std::string key; // one of settingKeys()
    std::string text;
    SettingLayer layer = SettingLayer::BuiltIn;
    std::string
        from; // for people: "SESSION_STORAGE in the environment", "/sandbox/storage of the graph file"
    bool isNamed = false; // this user named the env file on the command line, so it is not the project's

    [[nodiscard]] bool isThisUsers() const { return isNamed || layer >= SettingLayer::Environment; }
};

struct SettingKey {
    enum class Kind { Word, Mode, Text, Folder, Count, Number, Names };
    std::string_view name;
    std::string_view variable; // in environment and env file; "": none
    Kind kind = Kind::Text;
    double least = 0; // for Count and Number
    double most = 0;
    std::string_view words; // for Word: "a b c"
    std::string_view help;
};
std::span<const SettingKey> settingKeys();
const SettingKey* findSettingKey(std::string_view name);

// Holds all values that were set, in any order.
using SettingValues = std::vector<SettingValue>;

using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;
// An empty variable counts as unset. Unknown variables are ignored.
SettingValues environmentSettings(const EnvironmentLookup& lookup);
std::optional<std::string> processEnvironment(const std::string& name);
// Parses an env file into its entries, in order. Its grammar is:
//   file   = { line "\n" }                       a byte order mark and "\r" before "\n" are dropped
//   line   = [ "export " ] NAME "=" value [ " #" comment ] | "#" comment | nothing
//   value  = 'text as it is'                     may span lines
//          | "text"                              may span lines; \n \t \r \" \\ \$ and \ before a line's end
//          | text                                up to " #" or the line's end, without spaces around it
// A "#" inside a value begins no comment: KEY=a#b is "a#b". Nothing is expanded and no command is run.
// Errc::InvalidArgument names the line.
Result<std::vector<std::pair<std::string, std::string>>> parseEnvFile(std::string_view text);
// Errc::NotFound, or InvalidArgument with file and line. Variables that are no settings of ours are ignored.
Result<SettingValues> envFileSettings(const std::filesystem::path& file);
SettingValues graphSettings(const graph::SandboxSettings& sandbox);
// Parses "KEY=VALUE" of --set. Errc::InvalidArgument: there is no such key.
Result<SettingValue> commandLineSetting(const std::string& text);

// The settings that count, with their places. Values are checked: numbers are in range, words are known.
struct MergedSettings {
    sessions::SessionMode mode;
    std::map<std::string, SettingValue, std::less<>> values; // without mode, storage and datasets: see `mode`
    std::string storageFrom;
    std::string datasetsFrom;

    [[nodiscard]] const std::string* text(std::string_view key) const;
    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] std::string from(std::string_view key) const; // "built in" if nobody set it
};

// A pure function. Errc::InvalidArgument names the setting, its place and the allowed values, also if a layer
// contradicts itself ("mode": "TMPFS_API" beside "storage": "BIND").
Result<MergedSettings> mergeSettings(const SettingValues& values);

} // namespace sg::config
