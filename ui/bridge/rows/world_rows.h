#pragma once

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

// A thread's session as it was at a checkpoint, for the panels of its variables and files.
namespace sg::ui {

// Against the checkpoint before; Unknown: what stood there is not known.
enum class WorldChange { Unknown, Same, Added, Changed, Removed };

struct VariableRow {
    QString name;
    QString type; // "int", "pandas.DataFrame"
    QString shape; // "344 × 7"; empty: none
    qint64 bytes = -1; // unknown
    QString preview; // one line
    QString missing; // not empty: why it was not kept
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

// What lies in a session that runs, against the newest checkpoint.
struct LiveFiles {
    QString thread;
    QString session;
    std::vector<WorldFileRow> files;
    bool isCut = false; // there are more than are listed
    QString problem; // why they are not known; empty: they are
    double seconds = 0; // that it took to ask
};

struct WorldWanted {
    QString thread;
    QString checkpoint; // empty: the newest
    std::optional<QString> session; // none, or not there: the thread's own, or the first that was used
    QString base; // the checkpoint that changes are told against; empty: the one before
};

struct WorldView {
    QString thread;
    QString checkpoint;
    int step = 0;
    bool wasUsed = false; // a session belongs to the checkpoint
    QString session; // whose it is: empty the thread's own, "node NAME", "run"
    QStringList sessions; // all that the checkpoint knows
    std::optional<int> base; // the step that changes are told against; none: the one before
    QString mark; // how it can be brought back: "exact", "restored", "none"; empty: not used yet
    std::vector<VariableRow> variables;
    qint64 names = 0; // that it had; of very many the first are among the variables
    QString variablesProblem; // why they are not known; empty: they are
    std::vector<WorldFileRow> files; // by path
    QString filesProblem;
    QString error; // nothing could be read
};

} // namespace sg::ui

Q_DECLARE_METATYPE(sg::ui::WorldView)
Q_DECLARE_METATYPE(sg::ui::LiveFiles)
