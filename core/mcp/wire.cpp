#include "core/mcp/wire.h"

namespace sg::mcp {

Value paramsOf(const Ask& ask, std::int64_t id)
{
    if (!ask.progress)
        return ask.params;
    Value params = ask.params.isMap() ? ask.params : Value(ValueMap{});
    Value meta = params["_meta"].isMap() ? params["_meta"] : Value(ValueMap{});
    meta.editMap().set("progressToken", id);
    params.editMap().set("_meta", std::move(meta));
    return params;
}

} // namespace sg::mcp
