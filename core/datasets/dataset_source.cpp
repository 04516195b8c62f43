#include "core/datasets/dataset_source.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/datasets/dataset_format.h"
#include "core/settings/secret_source.h"

#include <algorithm>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::datasets {
namespace {

constexpr std::int64_t kMostSeconds = 30LL * 24 * 3600;
constexpr std::int64_t kMostMegabytes = 1LL << 24;

bool isText(const Value* value)
{
    return value != nullptr && value->isString() && !value->asString().empty();
}

bool areTexts(const Value& value)
{
    return value.isList() && std::ranges::all_of(value.asList(), [](const Value& v) { return v.isString(); });
}

class Checks {
public:
    explicit Checks(std::vector<SourceProblem>& problems)
        : m_problems(problems)
    {
    }

    void source(const Value& entry, const std::string& at)
    {
        if (!entry.isMap())
            return add(at, "a provider is an object");
        if (!isText(entry.find("name")) || !checkedId(entry["name"].asString()))
            add(at + "/name", "a provider needs a name of letters, digits, '_', '-' and '.'");
        const int kinds = static_cast<int>(entry.find("directory") != nullptr)
            + static_cast<int>(entry.find("url") != nullptr)
            + static_cast<int>(entry.find("command") != nullptr);
        if (kinds != 1)
            add(at, "a provider has one of \"directory\", \"url\" and \"command\"");
        if (const Value* folder = entry.find("directory"); folder != nullptr && !isText(folder))
            add(at + "/directory", "a folder's path, relative to the project");
        if (const Value* url = entry.find("url"))
            checkUrl(*url, at + "/url");
        if (const Value* command = entry.find("command");
            command != nullptr && (!areTexts(*command) || command->asList().empty()))
            add(at + "/command", "a program and its arguments, a list of texts");
        options(entry, at);
    }

private:
    void add(const std::string& pointer, const std::string& message)
    {
        m_problems.push_back({ pointer, message });
    }

    void checkUrl(const Value& url, const std::string& at)
    {
        if (!url.isString()
            || !(url.asString().starts_with("https://") || url.asString().starts_with("http://")))
            return add(at, "an address that begins with https:// or http://");
        const std::string& text = url.asString();
        const std::size_t host = text.find("://") + 3;
        const std::size_t end = text.find_first_of("/?#", host);
        if (text.find("{id}") == std::string::npos)
            add(at, "{id} must stand where the dataset's name goes");
        else if (text.find("{id}") < std::min(end, text.size()))
            add(at, "{id} may not stand in the host: code would choose who is asked");
        if (text.find("{secret}") != std::string::npos)
            add(at, "a secret in an address ends up in logs: send it in \"headers\"");
    }

    void options(const Value& entry, const std::string& at)
    {
        if (const Value* format = entry.find("format");
            format != nullptr && !(format->isString() && isFormat(format->asString())))
            add(at + "/format", "one of parquet, csv, arrow, json, jsonl");
        if (const Value* secret = entry.find("secret");
            secret != nullptr && !(isText(secret) && settings::isSecretName(secret->asString())))
            add(at + "/secret", "the name of a secret, never the secret itself");
        if (const Value* ids = entry.find("ids"))
            if (!areTexts(*ids) || !std::ranges::all_of(ids->asList(), [](const Value& id) {
                    return bool(checkedId(id.asString()));
                }))
                add(at + "/ids", "a list of datasets' names");
        if (const Value* headers = entry.find("headers")) {
            const auto isFine = [](const auto& header) {
                const auto hasBreak = [](const std::string& text) {
                    return text.find_first_of("\r\n") != std::string::npos;
                };
                return header.first.isString() && header.second.isString()
                    && !hasBreak(header.first.asString()) && !hasBreak(header.second.asString());
            };
            if (!headers->isMap() || !std::ranges::all_of(headers->asMap(), isFine))
                add(at + "/headers", "an object of texts");
        }
        for (const auto& [key, most] :
             { std::pair("timeout_s", kMostSeconds), std::pair("max_mb", kMostMegabytes) })
            if (const Value* number = entry.find(key);
                number != nullptr && !(number->isInt() && number->asInt() > 0 && number->asInt() <= most))
                add(at + "/" + key, "a whole number from 1 to " + std::to_string(most));
    }

    std::vector<SourceProblem>& m_problems;
};

DatasetSource parsed(const Value& entry)
{
    DatasetSource source;
    source.written = entry;
    source.name = entry["name"].asString();
    if (const Value* folder = entry.find("directory")) {
        source.folder = folder->asString();
    } else if (const Value* url = entry.find("url")) {
        source.kind = DatasetSource::Kind::Http;
        source.url = url->asString();
    } else {
        source.kind = DatasetSource::Kind::Command;
        for (const Value& part : entry["command"].asList())
            source.command.push_back(part.asString());
    }
    if (const Value* headers = entry.find("headers"))
        for (const auto& [name, value] : headers->asMap())
            source.headers.emplace_back(name.asString(), value.asString());
    if (const Value* ids = entry.find("ids"))
        for (const Value& id : ids->asList())
            source.ids.push_back(id.asString());
    source.secret = entry.stringOr("secret", {});
    source.format = entry.stringOr("format", source.format);
    source.timeout = std::chrono::seconds(entry.intOr("timeout_s", source.timeout.count()));
    source.mostBytes = entry.intOr("max_mb", 0) << 20;
    return source;
}

Result<Value> readDocument(const fs::path& file)
{
    std::error_code failed;
    if (!fs::exists(file, failed))
        return Value::map(
            { { "providers",
                ValueList{ Value::map({ { "name", "local" }, { "directory", "datasets" } }) } } });
    auto text = readFile(file, 4U << 20);
    if (!text)
        return std::move(text.error());
    auto document = parseJson(*text);
    if (!document)
        return std::move(document.error()).during(file.string());
    return document;
}

Error problemsIn(const fs::path& file, const std::vector<SourceProblem>& problems)
{
    std::string text = file.filename().string() + " cannot be used:";
    for (const SourceProblem& problem : problems)
        text += "\n" + problem.pointer + ": " + problem.message;
    return { Errc::InvalidArgument, text };
}

Result<void> save(const fs::path& file, const Value& document)
{
    if (const auto problems = checkSources(document); !problems.empty())
        return problemsIn(file, problems);
    return writeFileAtomically(file, toJson(document, JsonStyle::Indented) + "\n");
}

} // namespace

std::vector<SourceProblem> checkSources(const Value& document)
{
    std::vector<SourceProblem> problems;
    const Value* providers = document.isMap() ? document.find("providers") : nullptr;
    if (providers == nullptr || !providers->isList())
        return { { "", "an object with a list \"providers\"" } };
    Checks checks(problems);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < providers->asList().size(); ++i) {
        const Value& entry = providers->asList()[i];
        const std::string at = "/providers/" + std::to_string(i);
        checks.source(entry, at);
        if (!entry.isMap())
            continue;
        const std::string name = entry.stringOr("name", {});
        if (std::ranges::find(names, name) != names.end())
            problems.push_back({ at + "/name", "a second provider of this name" });
        names.push_back(name);
    }
    return problems;
}

Result<std::vector<DatasetSource>> loadSources(const fs::path& file)
{
    const auto document = readDocument(file);
    if (!document)
        return document.error();
    if (const auto problems = checkSources(*document); !problems.empty())
        return problemsIn(file, problems);
    std::vector<DatasetSource> sources;
    for (const Value& entry : (*document)["providers"].asList())
        sources.push_back(parsed(entry));
    return sources;
}

Result<void> addSource(const fs::path& file, const Value& entry)
{
    auto document = readDocument(file);
    if (!document)
        return document.error();
    if (const auto problems = checkSources(*document); !problems.empty())
        return problemsIn(file, problems);
    ValueList providers = (*document)["providers"].asList();
    const auto same =
        std::ranges::find_if(providers, [&](const Value& other) { return other["name"] == entry["name"]; });
    if (same != providers.end())
        *same = entry;
    else
        providers.push_back(entry);
    document->editMap().set("providers", std::move(providers));
    return save(file, *document);
}

Result<void> removeSource(const fs::path& file, const std::string& name)
{
    auto document = readDocument(file);
    if (!document)
        return document.error();
    if (const auto problems = checkSources(*document); !problems.empty())
        return problemsIn(file, problems);
    ValueList providers = (*document)["providers"].asList();
    if (std::erase_if(providers, [&](const Value& entry) { return entry["name"] == Value(name); }) == 0)
        return Error{ Errc::NotFound, "there is no provider '" + name + "' in " + file.filename().string() };
    document->editMap().set("providers", std::move(providers));
    return save(file, *document);
}

} // namespace sg::datasets
