#include "core/config/model_desk.h"

#include "core/base/file.h"
#include "core/base/relative_path.h"
#include "core/config/secrets.h"
#include "core/config/session_settings.h"

#include <mutex>
#include <set>
#include <system_error>
#include <utility>

namespace sg::config {
namespace {

constexpr std::size_t kMostPrices = 1U << 20;
constexpr std::size_t kMostRecording = 64U << 20;

models::ChatLimits limitsOf(const graph::Graph& graph)
{
    models::ChatLimits limits;
    const Value& budget = graph.llm["budget"];
    const auto number = [&budget](const char* key) {
        return budget[key].isNumber() ? std::optional(budget[key].asDouble()) : std::nullopt;
    };
    const auto count = [&number](const char* key) {
        const auto given = number(key);
        return given ? std::optional(static_cast<std::int64_t>(*given)) : std::nullopt;
    };
    limits.tokens = count("tokens");
    limits.calls = count("calls");
    limits.cost = number("cost");
    limits.seconds = number("seconds");
    return limits;
}

Result<models::PriceTable> pricesOf(const projects::ProjectPaths& project)
{
    const auto file = project.folder / "prices.json";
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return models::PriceTable();
    const auto text = readFile(file, kMostPrices);
    if (!text)
        return text.error();
    auto prices = models::PriceTable::parse(*text);
    if (!prices)
        return std::move(prices.error()).during("prices.json");
    return prices;
}

// A run records with SANDGLASS_RECORD=FILE; else the graph's "replay" names the project's recording that
// answers, unless SANDGLASS_MODEL_URL names a real server.
Result<std::shared_ptr<models::Recording>> recordingOf(const graph::Graph& graph,
                                                       const projects::ProjectPaths& project)
{
    if (const auto file = processEnvironment("SANDGLASS_RECORD"); file && !file->empty())
        return models::Recording::begin(*file);
    const Value& named = graph.llm["replay"];
    if (!named.isString() || named.asString().empty() || processEnvironment("SANDGLASS_MODEL_URL"))
        return std::shared_ptr<models::Recording>();
    auto path = RelativePath::parse(named.asString());
    if (!path)
        return std::move(path.error()).during("\"replay\" of the graph's \"llm\"");
    const auto text = readFile(project.folder / path->text(), kMostRecording);
    if (!text)
        return text.error();
    auto recording = models::Recording::parse(*text);
    if (!recording)
        return std::move(recording.error()).during(path->text());
    return recording;
}

// One variable turns from a recording, or from the graph's own server, to another server.
Result<void> takeOtherServer(models::ModelDesk& desk)
{
    const auto url = processEnvironment("SANDGLASS_MODEL_URL");
    if (!url || url->empty())
        return {};
    auto base = models::parseBaseUrl(*url);
    if (!base)
        return std::move(base.error()).during("SANDGLASS_MODEL_URL");
    desk.otherBase = std::move(*base);
    desk.otherModel = processEnvironment("SANDGLASS_MODEL").value_or("");
    return {};
}

audit::AuditEntry rowOf(const std::string& name, const models::BaseUrl& base, const models::KeyUse& use)
{
    audit::AuditEntry row;
    row.kind = audit::Kind::Secret;
    row.thread = use.thread;
    row.run = use.run;
    row.agent = use.node.value;
    row.subject = name;
    row.outcome = audit::Outcome::Given;
    row.details = Value::map({ { "as", "key of a chat model" }, { "to", base.place() } });
    return row;
}

} // namespace

Result<std::shared_ptr<models::ModelDesk>>
modelDesk(const graph::Graph& graph, const projects::ProjectPaths& project, const MergedSettings& settings,
          models::ChatClient& client, const Clock& clock, audit::AuditWriter* audit)
{
    auto prices = pricesOf(project);
    if (!prices)
        return std::move(prices.error());
    auto desk = std::make_shared<models::ModelDesk>();
    desk->client = &client;
    desk->budget = std::make_shared<models::ChatBudget>(limitsOf(graph), std::move(*prices), clock);
    auto recording = recordingOf(graph, project);
    if (!recording)
        return std::move(recording.error());
    desk->recording = std::move(*recording);
    if (auto other = takeOtherServer(*desk); !other)
        return std::move(other.error());
    desk->authorities = processEnvironment("SSL_CERT_FILE").value_or("");
    desk->findKey = [settings, audit](const std::string& name, const models::BaseUrl& base,
                                      const models::KeyUse& use,
                                      const std::stop_token& stop) -> Result<settings::Secret> {
        auto key = modelKey(settings, name, { base.scheme, base.place(), base.isThisMachine() }, stop);
        if (!key || audit == nullptr)
            return key;
        if (auto told = audit->add(rowOf(name, base, use)); !told)
            return std::move(told.error()).during("record the use of the secret \"" + name + "\"");
        return key;
    };
    return desk;
}

std::function<Result<void>(const models::BaseUrl& place)> hostsOfNodes(const MergedSettings& settings,
                                                                       audit::AuditWriter* audit)
{
    struct Told {
        std::mutex mutex;
        std::set<std::string> places; // guarded by mutex
    };
    return [settings, audit, told = std::make_shared<Told>()](const models::BaseUrl& base) -> Result<void> {
        const std::string place = (base.scheme == "http" ? "http://" : "") + base.place();
        const bool may = mayAsk(settings, { base.scheme, base.place(), base.isThisMachine() });
        if (audit != nullptr) {
            const std::lock_guard lock(told->mutex);
            if (told->places.insert(place).second) {
                audit::AuditEntry row;
                row.kind = audit::Kind::Network;
                row.subject = place;
                row.outcome = may ? audit::Outcome::Allowed : audit::Outcome::Denied;
                row.details = Value::map({ { "by", "http node" } });
                if (auto added = audit->add(std::move(row)); !added)
                    return std::move(added.error()).during("record the request to " + place);
            }
        }
        if (may)
            return {};
        return Error{ Errc::PermissionDenied,
                      "http nodes may not ask " + place + ". If they may, say so with HTTP_HOSTS=" + place
                          + " in the environment or --set http_hosts=" + place };
    };
}

} // namespace sg::config
