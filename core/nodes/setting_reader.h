#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/graph/node_kinds.h"

#include <cassert>
#include <optional>
#include <string>
#include <string_view>

namespace sg::nodes {

// Reads the settings of a node, branch or error handler, with types and defaults of their kind.
class SettingReader {
public:
    SettingReader(std::string_view kind, const ValueMap& settings)
        : m_kind(graph::findNodeKind(kind))
        , m_settings(settings)
    {
    }

    // Returns the fallback for an absent setting. The first one that does not fit is the reader's error.
    std::string text(std::string_view key)
    {
        const Value* value = fit(key);
        return value == nullptr ? std::string(setting(key).fallback) : value->asString();
    }
    std::optional<double> number(std::string_view key)
    {
        const Value* value = fit(key);
        return value == nullptr ? std::nullopt : std::optional(value->asDouble());
    }
    bool flag(std::string_view key)
    {
        const Value* value = fit(key);
        return value != nullptr && value->asBool();
    }
    Value value(std::string_view key) const
    {
        const Value* found = m_settings.find(key);
        return found == nullptr ? Value() : *found;
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    const graph::NodeSetting& setting(std::string_view key) const
    {
        const graph::NodeSetting* found = graph::findSetting(m_kind, key);
        assert(found != nullptr); // makers only read settings that their kind has
        return *found;
    }

    // Null: it is absent or does not fit.
    const Value* fit(std::string_view key)
    {
        const Value* value = m_settings.find(key);
        if (value == nullptr || value->isNull())
            return nullptr;
        if (graph::isFit(setting(key), *value))
            return value;
        if (!m_error)
            m_error = Error{ Errc::InvalidArgument,
                             "\"" + std::string(key) + "\" must be " + graph::demandOf(setting(key)) };
        return nullptr;
    }

    const graph::NodeKind* m_kind;
    const ValueMap& m_settings;
    std::optional<Error> m_error;
};

} // namespace sg::nodes
