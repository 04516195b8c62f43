#pragma once

#include "core/base/value.h"

// These functions show Python objects as plain data to people and in JSON; the stored value stays the Ext.
namespace sg::checkpoint {

// Returns the value with every Ext in it (in keys, too) replaced by describeExt(); other parts are shared.
Value plainValue(const Value& value);

// messages and other pydantic models, dataclasses → their map · UUID, Decimal, date, datetime, path, IP
// address, ZoneInfo, enum → text or number · set, frozenset → {"$set": […]} · deque → list · Send → {"$send":
// {"node", "arg"}} · Interrupt → {"value", "id"} · Command → {"$command": {…}} · Overwrite → {"$overwrite":
// value} · timedelta → {"$timedelta": {"days", "seconds", "microseconds"}} · regular expression → {"$regex",
// "flags"} · tuple → list · numpy scalar → number · numpy array → {"$numpy": {"dtype", "shape", "order",
// "bytes"}} · delta snapshot → its value · other Python objects → {"$object": "module.Class", "value": …} ·
// opaque (pickle, unknown type) →
// {"$opaque": {"bytes"}} · unknown → {"$ext": code, "bytes": length}
Value describeExt(const Ext& ext);

} // namespace sg::checkpoint
