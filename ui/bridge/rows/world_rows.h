#pragma once

#include "ui/bridge/rows/rows.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

// A thread's session as it was at a checkpoint, for the panels of variables and files.
namespace sg::ui {

// The change since the checkpoint before; Unknown if that one's content is not known.
enum class WorldChange { Unknown, Same, Added, Changed, Removed };

struct VariableRow {
    QString name;
    QString type; // "int", "pandas.DataFrame"
    QString shape; // "344 × 7"; empty if it has none
    qint64 bytes = -1; // -1 if unknown
    QString preview; // one line
    QString missing; // why it was not kept; empty if it was
    WorldChange change = WorldChange::Unknown;
};

struct WorldFileRow {
    enum class Type { File, Folder, Link, Pipe };
    QString path; // beneath /session
    Type type = Type::File;
    qint64 size = 0;
    QString target; // of a link
    WorldChange change = WorldChange::Unknown;
    friend bool operator==(const WorldFileRow&, const WorldFileRow&) = default;
};

// The files of a running session, compared with the newest checkpoint.
struct LiveFiles {
    QString thread;
    QString session;
    std::vector<WorldFileRow> files;
    bool isCut = false; // there are more files
    QString problem; // why they are unknown; empty if they are known
    double seconds = 0; // duration of the question
};

struct WorldWanted {
    QString thread;
    QString checkpoint; // empty for the newest
    std::optional<QString> session; // else the thread's own, or the first that was used
    QString base; // the checkpoint to compare with; empty for the one before
};

struct WorldView {
    QString thread;
    QString checkpoint;
    int step = 0;
    bool wasUsed = false; // a session was used up to this checkpoint
    QString session; // empty for the thread's own, "node NAME", "run"
    QStringList sessions; // all sessions that the checkpoint knows
    std::optional<int> base; // the step compared with; none means the checkpoint before
    SandboxMark mark = SandboxMark::Unused; // how it can be restored
    std::vector<VariableRow> variables;
    qint64 names = 0; // count of all names; `variables` has the first of very many
    QString variablesProblem; // why they are unknown; empty if they are known
    std::vector<WorldFileRow> files; // by path
    QString filesProblem;
    QString error; // why nothing could be read
};

} // namespace sg::ui

Q_DECLARE_METATYPE(sg::ui::WorldView)
Q_DECLARE_METATYPE(sg::ui::LiveFiles)
