#pragma once

#include "core/base/run_status.h"
#include "core/base/value.h"
#include "core/checkpoint/source.h"
#include "core/rewind/sandbox_choice.h"
#include "core/sessions/session_event.h"
#include "core/sessions/session_mode.h"
#include "core/sessions/session_part.h"
#include "core/sessions/session_state.h"

#include <QImage>
#include <QString>
#include <QStringList>

#include <limits>
#include <vector>

// Plain copies of core's values for panels; GUI thread only. Times are milliseconds since 1970 UTC.
namespace sg::ui {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// An error for people: what failed and where, why, and what to do next.
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
    RunStatus status = RunStatus::Unknown;
    QString problem = {}; // of a damaged one: why the newest checkpoint cannot be read
};

// The state of the sandbox that was kept at a checkpoint.
enum class SandboxMark { Unused, None, Restored, Exact };

struct CheckpointRow {
    QString id;
    QString parent; // empty if there is none
    int step = 0;
    Word<checkpoint::Source> source = {};
    QStringList after; // nodes whose writes made it
    QStringList next;
    double timeMs = kUnknown;
    SandboxMark sandbox = SandboxMark::Unused; // how the session can be restored
    QString sandboxNote = {}; // what a restored session would lack
    QString problem = {}; // why it cannot be read; then only id and parent are valid
};

struct TaskRow {
    QString checkpoint; // the superstep's start
    QString task;
    QString node;
    int step = 0;
    TaskOutcome outcome = TaskOutcome::Unknown;
    double startedMs = kUnknown;
    double seconds = kUnknown;
    int attempts = 1;
    QString error; // one line
    QString detail; // traceback
    double triedMs = kUnknown; // start of the first attempt, where there were several
    bool wasAsked = false; // an attempt before asked a person, or was stopped
};

// A thread's checkpoints or a part of them: the newest, a page, or those of one run of a subgraph.
struct HistoryRows {
    QString thread;
    std::vector<CheckpointRow> checkpoints; // oldest first
    std::vector<TaskRow> tasks; // by checkpoint, then by start
    QString ns = {}; // of a subgraph's run: "plan:1f0…|inner:2a…"; empty: the graph's own
    qint64 total = 0; // checkpoints that the thread has, with those that are not among these
    QStringList nodes = {}; // of the graph that the newest checkpoint was made by; empty: unknown
};

// Another version of the project's graph than the one in its file.
struct GraphVersion {
    QString thread; // the thread of the checkpoint; empty for a version in git
    QString checkpoint;
    std::string text{}; // empty if there is no such version
    QString error{}; // why there is none
};

struct StateView {
    QString thread;
    QString checkpoint;
    QString parent; // empty for the first checkpoint; then everything is new
    int step = 0;
    bool isParent = true; // compared with the parent, otherwise with the requested checkpoint
    int parentStep = 0; // step of the checkpoint compared with
    Value values; // map channel → value, exts as plain data
    QStringList typed = {}; // channels whose values JSON cannot hold
    Value parentValues; // of the checkpoint compared with
    QStringList next;
    std::vector<TaskRow> tasks;
    ValueList interrupts; // {"value", "id"}
};

// ANSI attributes of a part of a line. `ink` is 0 for the line's colour, 1 … 8 for black to white, 9 … 16 for
// the same, bright.
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
    // The origin: a node's code, a cell of the console, the sandbox's runner, the engine, the network proxy,
    // or the audit.
    enum class Source { Node, Cell, Runner, Engine, Egress, Audit };
    static constexpr int kNoStep = std::numeric_limits<int>::min(); // it belongs to none: a console's cell
    double timeMs = 0;
    int step = kNoStep;
    QString node;
    Stream stream = Stream::Out;
    QString text; // one line, made printable
    Source source = Source::Node;
    QString task = {}; // the task or cell that printed it, if any
    std::vector<TextSpan> spans = {};
    bool isFailure = false; // it tells of a task, a cell or a run that failed
    bool isRunEnd = false;
};

struct SampleRow {
    double timeMs = 0;
    double cpuPercent = 0; // 100 = one core
    double memoryBytes = 0;
    double memoryLimit = 0; // 0 means no limit
    int pids = 0;
    int pidsLimit = 0;
    double diskBytes = 0;
    double diskLimit = 0; // 0 means no limit
    qint64 oomKills = 0; // since the session's start
    double throttledMs = 0; // time at the CPU limit since the session's start
};

struct SessionRow {
    QString session; // "s-41ab02"
    QString thread;
    QString backend; // "docker", "bubblewrap"
    QString isolation; // "container", "namespaces"
    bool weakLimits = false;
    sessions::SessionState state;
    Word<sessions::SessionStorage> storage = {};
    Word<sessions::DatasetAccess> datasets = {};
    double cpuLimit = 0; // cores
    double memoryLimit = 0;
    double startedMs = kUnknown;
    sessions::SessionPart part = {};
    double expiresMs = kUnknown; // when it ends by itself
    double lastUsedMs = kUnknown;
    qint64 cells = 0;
    int pidsLimit = 0;
    double diskLimit = 0;
    QString sandbox = {}; // name of the container or sandbox
    double endedMs = kUnknown;
};

// An event of a session: "started", "restarted", "paused", "ended", …
struct SessionNoteRow {
    double timeMs = 0;
    Word<sessions::SessionEventKind> event = {};
    QString text;
};

// Stored data of one session: samples in order of time, notes oldest first.
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
    QString blob; // read-only file with the content
    QString run = {};
    QString session = {};
    QString checkpoint = {}; // the superstep's start
};

// A preview, made outside of the GUI thread. A table has one page; `note` says what is left out.
struct ArtifactPreview {
    enum class Kind {
        None,
        Image,
        Table,
        Text,
        Markdown,
        Outside, // opened by another program, as PDF files are
        Changes, // changes against another version; see LineChanges
    };
    Kind kind = Kind::None;
    QString artifact;
    QImage picture = {}; // decoded or drawn
    std::vector<QImage> halves = {}; // the picture in halved widths, for small views
    QStringList columns = {};
    QStringList columnTypes = {};
    std::vector<QStringList> rows = {};
    qint64 firstRow = 0; // index of the page's first row
    qint64 totalRows = -1; // -1 if unknown
    bool hasMore = false; // rows follow the page
    QString text = {};
    QString note = {}; // "first 200 of 344 rows", or why there is no preview
    bool isComparison = false; // of two versions, also if they are pictures
};

// Rows of one page of a table.
inline constexpr qint64 kPageRows = 500;

// A thumbnail of an artifact: an image, its first lines, or its first cells. All are empty if there is none.
struct ArtifactThumbnail {
    QString artifact;
    QImage image;
    QStringList lines;
    std::vector<QStringList> cells; // the first row has the column names
};

} // namespace sg::ui
