#pragma once

#include "core/base/result.h"
#include "core/base/snapshot_id.h"
#include "core/base/value.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::sessions {

// A thing that a snapshot could not keep, as a person would name it.
struct NamedThing {
    std::string kind; // "thread", "pipe", "socket", "process", "file", "name", …
    std::string name;
    friend bool operator==(const NamedThing&, const NamedThing&) = default;
};
std::string describe(const std::vector<NamedThing>& things); // "thread mine, pipe pipe:[5]"

// A path of a session's folder in a snapshot.
struct FileEntry {
    enum class Type { File, Folder, Link, Pipe };
    Type type = Type::File;
    int mode = 0; // permission bits
    std::int64_t size = 0;
    std::int64_t mtimeNs = 0;
    std::string content; // File: SHA-256, "" where the size is 0; Link: its target
    std::string sameAs; // File with several names: the first of them, unless it is this one
    friend bool operator==(const FileEntry&, const FileEntry&) = default;
};
using FileMap = std::map<std::string, FileEntry>; // by path beneath /session; bytes as the system has them

// A session at one moment: its interpreter, as a copy that sleeps in the sandbox, and its files, by content.
// A value.
struct Snapshot {
    SnapshotId id;
    std::string createdAt;
    std::string incarnation; // of the runner that made it, which alone has the copy
    bool live = false; // the copy was made; whether it still sleeps only its runner knows
    std::vector<NamedThing> obstacles; // reasons why there is no copy
    std::vector<NamedThing> left; // things that the copy lacks: pipes, sockets, processes, …
    std::shared_ptr<const FileMap> files; // null: not kept, see filesProblem
    std::string filesProblem; // "files not kept: 700 MB over the cap of 512 MB"
    std::vector<NamedThing> filesLeft; // sockets, devices, files that changed while they were read
    std::int64_t fileBytes = 0;
    Value names; // names written out of the interpreter; null: none
};

// The way in which a session was brought back to a snapshot.
struct Restored {
    enum class Kind {
        AsItWas, // the session was there already
        Exact, // the copy was woken; see `differs`
        Stored, // names were read back; `missing` says which were not
        FilesOnly, // every name is gone
        Fresh, // a new interpreter and an empty folder, as asked for
    };
    Kind kind = Kind::AsItWas;
    std::vector<NamedThing> missing;
    bool filesRestored = true;
    std::int64_t filesChanged = 0; // paths written or removed on the way
    double seconds = 0;
    std::string lacks{}; // what the snapshot itself lacked, for people
    bool keepsEdits = false; // AsItWas: a person has changed it since
    std::vector<NamedThing> differs{}; // Exact: beside the session's folder, where nothing is brought back
    bool givesUpEdits = false; // a person had changed it since, and nobody asked to go on without that
};
std::string describe(const Restored& restored); // "exact", "files only: every name is gone", …
// For programs: {"kind": "exact", "missing": [{"kind", "name"}], "lacks", "files_restored", "keeps_edits",
// "differs"?: [{"kind", "name"}], "gives_up_edits"?: true}; the kind is "live" where something differs.
Value toValue(const Restored& restored);

// Small enough for a database row; the files are stored separately (file_map.h).
Value toValue(const Snapshot& snapshot);
Result<Snapshot> snapshotFromValue(const Value& value);

} // namespace sg::sessions
