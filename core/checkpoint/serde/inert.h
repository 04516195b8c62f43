#pragma once

#include "core/base/value.h"

// Python objects as plain data for people and JSON. Only for showing: what is stored stays the Ext.
namespace sg::checkpoint {

// The value with every Ext in it (keys too) replaced by describeExt(); shares what holds no Ext.
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
