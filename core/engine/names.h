#pragma once

#include <cstdint>

// These are LangGraph's reserved names.
namespace sg::engine {

inline constexpr const char* kStartNode = "__start__";
inline constexpr const char* kEndNode = "__end__";
inline constexpr const char* kInputName = "__input__";
inline constexpr const char* kInterruptName = "__interrupt__";
inline constexpr const char* kResumeName = "__resume__";
inline constexpr const char* kErrorName = "__error__";
inline constexpr const char* kErrorSourceName = "__error_source_node__";
inline constexpr const char* kNoWritesName = "__no_writes__";
inline constexpr const char* kTasksName = "__pregel_tasks";
inline constexpr const char* kPullName = "__pregel_pull";
inline constexpr const char* kPushName = "__pregel_push";
inline constexpr const char* kCopyName = "__copy__";
inline constexpr const char* kSnapshotBumps = "__snapshot_bumps__";
inline constexpr const char* kParentGraph = "__parent__";
inline constexpr const char* kErrorHandlerPrefix = "__error_handler__";
inline constexpr const char* kNullTaskId = "00000000-0000-0000-0000-000000000000";

// A write's channel is a channel's index or one of these numbers.
inline constexpr std::int32_t kUnknownChannel = -1; // the write holds the name
inline constexpr std::int32_t kErrorWrite = -2;
inline constexpr std::int32_t kErrorSourceWrite = -3;
inline constexpr std::int32_t kInterruptWrite = -4;
inline constexpr std::int32_t kResumeWrite = -5;
inline constexpr std::int32_t kNoWritesWrite = -6;
// These two are read from files of LangGraph's functional API and never applied.
inline constexpr std::int32_t kReturnWrite = -7;
inline constexpr std::int32_t kScheduledWrite = -8;

} // namespace sg::engine
