#pragma once

#include "core/base/value.h"
#include "core/sessions/session_part.h"
#include "core/sessions/session_state.h"

#include <QImage>
#include <QString>
#include <QStringList>

#include <limits>
#include <vector>

// What the bridge hands to panels: plain copies, GUI thread only. Times are milliseconds since 1970 UTC.
namespace sg::ui {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// An error as people read it: what failed and where, why, what to do next.
struct UserError {
    QString what;
    QString detail; // long form, may be empty
    QString node = {}; // of the graph, where one failed
    QString type = {}; // of what it raised there: "KeyError"
};

struct ThreadRow {
    QString thread;
    qint64 checkpoints = 0;
    double updatedMs = kUnknown;
    QString status; // "done", "interrupted", "failed", "stopped", "running", "unfinished", "damaged"
    QString problem = {}; // of "damaged": why its newest checkpoint cannot be read
};

struct CheckpointRow {
    QString id;
    QString parent; // empty: none
    int step = 0;
    QString source; // "input", "loop", "update", "fork"
    QStringList after; // nodes whose writes made it
    QStringList next;
    double timeMs = kUnknown;
    QString sandbox = {}; // how the session can be brought back to it: "exact", "restored", "none"; empty:
                          // not used
    QString sandboxNote = {}; // what would be missing
    QString problem = {}; // why it cannot be read; then only id and parent are sure
};

struct TaskRow {
    QString checkpoint; // the superstep's start
    QString task;
    QString node;
    int step = 0;
    QString
        outcome; // "running", "done", "failed", "interrupted", "stopped", "cached"; "paused": would run next
    double startedMs = kUnknown;
    double seconds = kUnknown;
    int attempts = 1;
    QString error; // one line
    QString detail; // traceback
    double triedMs = kUnknown; // start of the first attempt, where there were several
    bool wasAsked = false; // an attempt before asked a person, or was stopped
};

// A thread's checkpoints, or a part of them: the newest, a page, those of one run inside of a node.
struct HistoryRows {
    QString thread;
    std::vector<CheckpointRow> checkpoints; // oldest first
    std::vector<TaskRow> tasks; // by checkpoint, then by start
    QString ns = {}; // of a subgraph's run: "plan:1f0…|inner:2a…"; empty: the graph's own
    qint64 total = 0; // checkpoints that the thread has, with those that are not among these
    QStringList nodes = {}; // of the graph that the newest checkpoint was made by; empty: unknown
};

// A version of the project's graph that is not the one in its file.
struct GraphVersion {
    QString thread; // whose checkpoint it belongs to; empty: of git
    QString checkpoint;
    std::string text; // empty: nothing is known of it
    QString error; // why; empty: there is none
};

struct StateView {
    QString thread;
    QString checkpoint;
    QString parent; // empty: none, then everything is new
    int step = 0;
    bool isParent = true; // compared with the parent; else with the checkpoint that was asked for
    int parentStep = 0; // of the one compared with
    Value values; // map channel → value, exts as plain data
    QStringList typed = {}; // channels whose values are more than JSON can say
    Value parentValues; // of the one compared with
    QStringList next;
    std::vector<TaskRow> tasks;
    ValueList interrupts; // {"value", "id"}
};

// A part of a line that a program wanted to look otherwise (ANSI attributes). `ink`: 0 as the line, 1 … 8
// black to white, 9 … 16 the same, bright.
struct TextSpan {
    int start = 0;
    int length = 0;
    quint8 ink = 0;
    bool isBold = false;
    bool isFaint = false;
    bool isItalic = false;
    bool isUnderlined = false;
    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

struct LogRow {
    enum class Stream { Out, Err, Event };
    // Who says it: a node's code, a cell of the console, the sandbox's runner, the engine, the network's
    // gate, the audit.
    enum class Source { Node, Cell, Runner, Engine, Egress, Audit };
    static constexpr int kNoStep = std::numeric_limits<int>::min(); // it belongs to none: a console's cell
    double timeMs = 0;
    int step = kNoStep;
    QString node;
    Stream stream = Stream::Out;
    QString text; // one line, made printable
    Source source = Source::Node;
    QString task = {}; // whose output it is; empty: nobody's
    std::vector<TextSpan> spans = {};
    bool isFailure = false; // it tells of a task, a cell or a run that failed
    bool isRunEnd = false;
};

struct SampleRow {
    double timeMs = 0;
    double cpuPercent = 0; // 100 = one core
    double memoryBytes = 0;
    double memoryLimit = 0; // 0: none
    int pids = 0;
    int pidsLimit = 0;
    double diskBytes = 0;
    double diskLimit = 0; // 0: none
    qint64 oomKills = 0; // since the session's start
    double throttledMs = 0; // held back at the CPU limit, since the session's start
};

struct SessionRow {
    QString session; // "s-41ab02"
    QString thread;
    QString backend; // "docker", "bubblewrap"
    QString isolation; // "container", "namespaces"
    bool weakLimits = false;
    sessions::SessionState state;
    QString storage;
    QString datasets;
    double cpuLimit = 0; // cores
    double memoryLimit = 0;
    double startedMs = kUnknown;
    sessions::SessionPart part = {};
    double expiresMs = kUnknown; // when it ends without being told to
    double lastUsedMs = kUnknown;
    qint64 cells = 0;
    int pidsLimit = 0;
    double diskLimit = 0;
    QString sandbox = {}; // its name on the engine
    double endedMs = kUnknown;
};

// Something that happened to a session: "started", "restarted", "paused", "ended", …
struct SessionNoteRow {
    double timeMs = 0;
    QString event;
    QString text;
};

// What is kept of one session: its samples in order of time, its notes with the oldest first.
struct SessionPast {
    QString session;
    std::vector<SampleRow> samples;
    std::vector<SessionNoteRow> notes;
};

struct ProcessRow {
    qint64 pid = 0; // inside the sandbox
    qint64 parent = 0;
    QString state; // "running", "sleeping", …
    double cpuSeconds = 0;
    double memoryBytes = 0;
    int threads = 0;
    QString command;
};

struct ArtifactRow {
    QString id;
    QString name;
    QString path; // beneath /session/artifacts
    QString mime;
    QString sha256;
    qint64 size = 0;
    QString node;
    int step = 0;
    QString thread;
    double createdMs = kUnknown;
    QString blob; // file with the content, read-only
    QString run = {};
    QString session = {};
    QString checkpoint = {}; // the superstep's start
};

// What a preview shows, made off the GUI thread. Of a table it is one page; `note` says what is left out.
struct ArtifactPreview {
    enum class Kind {
        None,
        Image,
        Table,
        Text,
        Markdown,
        Outside, // for another program: PDF
        Changes, // against another version: each line begins with ' ', '+' or '-', or '@'
    };
    Kind kind = Kind::None;
    QString artifact;
    QImage picture = {}; // decoded, or drawn
    std::vector<QImage> halves = {}; // of it, each of half the width of the one before: for small views
    QStringList columns = {};
    QStringList columnTypes = {};
    std::vector<QStringList> rows = {};
    qint64 firstRow = 0; // of the page
    qint64 totalRows = -1; // unknown
    bool hasMore = false; // behind the page
    QString text = {};
    QString note = {}; // "first 200 of 344 rows", or why there is no preview
    bool isComparison = false; // of two versions: also pictures can be
};

// One page of a table has so many rows.
inline constexpr qint64 kPageRows = 500;

// A small picture of an artifact: an image, or what its first lines or cells say. All empty: it has none.
struct ArtifactThumbnail {
    QString artifact;
    QImage image;
    QStringList lines;
    std::vector<QStringList> cells; // the first row: the columns' names
};

} // namespace sg::ui
