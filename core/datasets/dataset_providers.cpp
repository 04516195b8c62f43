#include "core/datasets/dataset_providers.h"

#include "core/base/redaction.h"
#include "core/datasets/dataset_format.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sg::datasets {
namespace {

constexpr std::size_t kEnoughToTell = 16; // first bytes needed to recognize a format

// Sits between a source and the session: it checks the first bytes, counts, and enforces the limit.
class Gate {
public:
    Gate(const DatasetSource& source, std::string format, std::function<void()> begin, const Sink& sink)
        : m_source(source)
        , m_format(std::move(format))
        , m_begin(std::move(begin))
        , m_sink(sink)
    {
    }

    Result<void> take(std::string_view bytes)
    {
        m_bytes += static_cast<std::int64_t>(bytes.size());
        if (m_source.mostBytes > 0 && m_bytes > m_source.mostBytes)
            return Error{ Errc::LimitExceeded,
                          "it is larger than the " + std::to_string(m_source.mostBytes >> 20)
                              + " MiB that datasets.json allows (max_mb)" };
        if (m_isOpen)
            return m_sink.take(bytes);
        m_first += bytes;
        return m_first.size() < kEnoughToTell ? Result<void>() : open();
    }

    Result<void> end()
    {
        if (m_bytes == 0 && m_format != "csv" && m_format != "jsonl")
            return Error{ Errc::InvalidArgument, "nothing came" };
        return m_isOpen ? Result<void>() : open();
    }

    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }

private:
    Result<void> open()
    {
        if (const auto objection = objectionTo(m_format, m_first))
            return Error{ Errc::InvalidArgument, "what came " + *objection };
        m_isOpen = true;
        m_begin();
        return m_sink.take(std::exchange(m_first, {}));
    }

    const DatasetSource& m_source;
    const std::string m_format;
    const std::function<void()> m_begin;
    const Sink& m_sink;
    std::string m_first;
    bool m_isOpen = false;
    std::int64_t m_bytes = 0;
};

bool mayHave(const DatasetSource& source, const std::string& id)
{
    return source.ids.empty() || std::ranges::find(source.ids, id) != source.ids.end();
}

} // namespace

DatasetProviders::DatasetProviders(DatasetFolders folders)
    : m_folders(std::move(folders))
{
}

Result<std::vector<OfferedDataset>> DatasetProviders::offered() const
{
    const auto sources = loadSources(m_folders.config);
    if (!sources)
        return sources.error();
    std::vector<OfferedDataset> found;
    const auto add = [&](OfferedDataset offer) {
        if (std::ranges::find(found, offer.id, &OfferedDataset::id) == found.end())
            found.push_back(std::move(offer));
    };
    for (const DatasetSource& source : *sources) {
        if (source.kind == DatasetSource::Kind::Folder && consent().isAllowed(source))
            for (const FoundFile& file : datasetsInFolder(m_folders.project / source.folder))
                add({ file.name, source.name, formatOfName(file.name), file.size });
        if (source.kind != DatasetSource::Kind::Folder)
            for (const std::string& id : source.ids)
                add({ id, source.name, source.format, -1 });
    }
    return found;
}

Result<DatasetProviders::Fetched>
DatasetProviders::fetch(const std::string& id, const std::function<void(const std::string&)>& begin,
                        const Sink& sink) const
{
    const auto sources = loadSources(m_folders.config);
    if (!sources)
        return sources.error();
    std::string asked;
    for (const DatasetSource& source : *sources) {
        if (!mayHave(source, id))
            continue;
        if (const auto risk = consent().risk(source); risk && !consent().isAllowed(source))
            return Error{ Errc::PermissionDenied,
                          "the provider '" + source.name + "' " + *risk
                              + ". Allow that once: sandglass dataset allow " + source.name };
        auto fetched = fetchFrom(source, id, begin, sink);
        if (fetched || fetched.error().code != Errc::NotFound)
            return fetched;
        asked += (asked.empty() ? "" : "; ") + fetched.error().message;
    }
    return Error{ Errc::NotFound,
                  "no provider has the dataset '" + id + "'" + (asked.empty() ? "" : " (" + asked + ")") };
}

Result<DatasetProviders::Fetched>
DatasetProviders::fetchFrom(const DatasetSource& source, const std::string& id,
                            const std::function<void(const std::string&)>& begin, const Sink& sink) const
{
    SourceWorld world{ m_folders.project };
    std::optional<settings::Secret> secret;
    if (!source.secret.empty()) {
        auto read = readSecret(m_folders.secrets, source.secret, m_folders.variables);
        if (!read) // not NotFound: the next source must not be tried instead
            return Error{ Errc::PermissionDenied, source.name + ": " + read.error().message };
        world.secret = &secret.emplace(std::move(*read));
        if (sink.usesSecret)
            sink.usesSecret(source);
    }
    std::string fileName = fileNameOf(id, source.format);
    if (source.kind == DatasetSource::Kind::Folder) {
        const auto file = findInFolder(m_folders.project / source.folder, id);
        if (!file)
            return Error{ Errc::NotFound,
                          "no file of this name in " + (m_folders.project / source.folder).string() };
        fileName = file->name;
    }
    std::string format = formatOfName(fileName);
    Gate gate(
        source, format, [&] { begin(fileName); }, sink);
    const Sink through{ [&](std::string_view bytes) { return gate.take(bytes); }, sink.goesOn };
    Result<void> fetched;
    switch (source.kind) {
    case DatasetSource::Kind::Folder: fetched = fetchFromFolder(source, world, id, through); break;
    case DatasetSource::Kind::Http: fetched = fetchByHttp(source, world, id, through); break;
    case DatasetSource::Kind::Command: fetched = fetchByCommand(source, world, id, through); break;
    }
    if (fetched)
        fetched = gate.end();
    if (!fetched) // the message may quote whoever got the secret
        return Error{ fetched.error().code, withoutSecrets(fetched.error().message) };
    return Fetched{ source.name, std::move(format), gate.bytes() };
}

} // namespace sg::datasets
