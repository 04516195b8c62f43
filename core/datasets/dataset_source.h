#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/settings/secret.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::datasets {

// A source of datasets, as the project's datasets.json describes it (resources/schemas).
struct DatasetSource {
    enum class Kind { Folder, Http, Command };
    std::string name;
    Kind kind = Kind::Folder;
    std::filesystem::path folder; // as written; relative to the project
    std::string url; // with {id}
    std::vector<std::pair<std::string, std::string>> headers; // values with {secret} and {id}
    std::vector<std::string> command; // program and arguments, with {id}
    std::string secret; // the secret's name; empty: none
    std::string format = "parquet"; // of what it sends; a folder's files tell theirs by their names
    std::vector<std::string> ids; // the datasets it has; empty: it is asked for any id
    std::chrono::seconds timeout{ 3600 };
    std::int64_t mostBytes = 0; // 0: as many as the session accepts
    Value written; // the whole entry, unknown keys included
};

struct SourceProblem {
    std::string pointer; // "/providers/0/url"
    std::string message;
};

// Returns the project's sources in the order in which they are asked. Without a file it is the project's
// datasets folder. Errc::InvalidArgument lists every problem, one per line.
Result<std::vector<DatasetSource>> loadSources(const std::filesystem::path& file);
std::vector<SourceProblem> checkSources(const Value& document);

// Adds an entry or replaces the one of its name, after checking it; the rest of the file stays.
Result<void> addSource(const std::filesystem::path& file, const Value& entry);
Result<void> removeSource(const std::filesystem::path& file, const std::string& name);

// Takes the pieces of a dataset. An error of it ends the fetch.
struct Sink {
    std::function<Result<void>(std::string_view)> take;
    std::function<bool()> goesOn;
    // Called before a source's secret is used, for the audit.
    std::function<void(const DatasetSource&)> usesSecret{};
};

// The things that a source needs besides its settings.
struct SourceWorld {
    std::filesystem::path project;
    const settings::Secret* secret = nullptr; // the source's; null: it has none
};

// Errc::NotFound: the source lacks the dataset. Messages never hold the secret. Memory use is bounded.
Result<void> fetchFromFolder(const DatasetSource& source, const SourceWorld& world, const std::string& id,
                             const Sink& sink);
Result<void> fetchByHttp(const DatasetSource& source, const SourceWorld& world, const std::string& id,
                         const Sink& sink);
Result<void> fetchByCommand(const DatasetSource& source, const SourceWorld& world, const std::string& id,
                            const Sink& sink);

// The file in a folder that holds the dataset. Links in the folder are not followed.
struct FoundFile {
    std::string name;
    std::int64_t size = 0;
};
std::optional<FoundFile> findInFolder(const std::filesystem::path& folder, const std::string& id);
std::vector<FoundFile> datasetsInFolder(const std::filesystem::path& folder); // by name, at most 10,000

} // namespace sg::datasets
