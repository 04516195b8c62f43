#include "core/config/collector.h"

#include "core/config/project_sessions.h"
#include "core/config/secrets.h"
#include "core/models/base_url.h"

#include <algorithm>
#include <utility>

namespace sg::config {
namespace {

constexpr std::string_view kSecretPlace = "{secret}";
constexpr const char* kPath = "/v1/traces";

// "NAME Header: text {secret}"
struct SecretHeader {
    std::string secret;
    std::string name;
    std::string text;
};

Result<SecretHeader> parseHeader(const std::string& text)
{
    const std::size_t blank = text.find(' ');
    const std::size_t colon = text.find(": ", blank);
    SecretHeader header;
    if (blank != std::string::npos && colon != std::string::npos)
        header = { text.substr(0, blank), text.substr(blank + 1, colon - blank - 1), text.substr(colon + 2) };
    const bool isName = !header.name.empty() && std::ranges::all_of(header.name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!settings::isSecretName(header.secret) || !isName
        || header.text.find(kSecretPlace) == std::string::npos
        || header.text.find_first_of("\r\n") != std::string::npos)
        return Error{ Errc::InvalidArgument,
                      "OTLP_HEADER is a secret's name and a header: NAME Authorization: Bearer {secret}" };
    return header;
}

audit::AuditEntry rowOf(audit::Kind kind, const std::string& subject, audit::Outcome outcome, Value details)
{
    audit::AuditEntry row;
    row.kind = kind;
    row.subject = subject;
    row.outcome = outcome;
    row.details = std::move(details);
    return row;
}

telemetry::Collector::Headers headersOf(const models::BaseUrl& base,
                                        const std::optional<SecretHeader>& header, audit::AuditWriter* audit)
{
    return [place = base.place(), header,
            audit](const std::stop_token& stop) -> Result<std::vector<std::pair<std::string, std::string>>> {
        std::vector<std::pair<std::string, std::string>> headers;
        if (audit != nullptr)
            if (auto told = audit->add(rowOf(audit::Kind::Network, place, audit::Outcome::Allowed,
                                             Value::map({ { "by", "OpenTelemetry" } })));
                !told)
                return std::move(told.error());
        if (!header)
            return headers;
        auto secret = userSecrets(stop).find(header->secret);
        if (!secret)
            return std::move(secret.error());
        if (audit != nullptr)
            if (auto told =
                    audit->add(rowOf(audit::Kind::Secret, header->secret, audit::Outcome::Given,
                                     Value::map({ { "as", "header of OpenTelemetry" }, { "to", place } })));
                !told)
                return std::move(told.error());
        std::string text = header->text;
        text.replace(text.find(kSecretPlace), kSecretPlace.size(), secret->reveal());
        headers.emplace_back(header->name, std::move(text));
        return headers;
    };
}

// A project may come from a stranger, so its files must not decide where telemetry of this user's runs goes.
Result<std::string> ownText(const MergedSettings& settings, const char* key, const char* variable)
{
    const auto found = settings.values.find(std::string_view(key));
    if (found == settings.values.end())
        return std::string();
    if (!found->second.isThisUsers())
        return Error{ Errc::PermissionDenied,
                      settings.from(key) + ": a project's own file does not decide where runs are told; set "
                          + variable + " in the environment, or --set " + key + "=…" };
    return found->second.text;
}

} // namespace

Result<std::optional<telemetry::Collector>> namedCollector(const MergedSettings& settings,
                                                           audit::AuditWriter* audit)
{
    const auto endpoint = ownText(settings, "otlp_endpoint", "OTLP_ENDPOINT");
    const auto header = ownText(settings, "otlp_header", "OTLP_HEADER");
    if (!endpoint || !header)
        return endpoint ? header.error() : endpoint.error();
    if (endpoint->empty())
        return std::optional<telemetry::Collector>();
    auto base = models::parseBaseUrl(*endpoint);
    if (!base)
        return std::move(base.error()).during("OTLP_ENDPOINT");
    std::optional<SecretHeader> secret;
    if (!header->empty()) {
        auto parsed = parseHeader(*header);
        if (!parsed)
            return std::move(parsed.error());
        if (base->scheme != "https" && !base->isThisMachine())
            return Error{ Errc::InvalidArgument,
                          "OTLP_HEADER would show \"" + parsed->secret + "\" to " + base->place()
                              + " without TLS: begin OTLP_ENDPOINT with https://" };
        secret = std::move(*parsed);
    }
    telemetry::Collector collector;
    collector.url = base->path.ends_with(kPath) ? base->with("") : base->with(kPath);
    collector.headers = headersOf(*base, secret, audit);
    collector.authorities = processEnvironment("SSL_CERT_FILE").value_or("");
    return std::optional(std::move(collector));
}

} // namespace sg::config
