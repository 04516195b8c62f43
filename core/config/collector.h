#pragma once

#include "core/audit/audit_writer.h"
#include "core/config/setting_layers.h"
#include "core/telemetry/span_exporter.h"

#include <optional>

namespace sg::config {

// The collector of OpenTelemetry that OTLP_ENDPOINT names, with the secret that OTLP_HEADER puts into a
// header; `audit` is told of it before the first request (null: nobody). nullopt: none is named.
// Errc::InvalidArgument, PermissionDenied: a setting is wrong, or a project's own file made it.
Result<std::optional<telemetry::Collector>> namedCollector(const MergedSettings& settings,
                                                           audit::AuditWriter* audit);

} // namespace sg::config
