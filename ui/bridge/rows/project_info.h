#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/rows/rows.h"

#include <string>
#include <vector>

namespace sg::ui {

// The sandbox that a run would use now. Asking for it can take as long as a container engine takes to answer.
struct SandboxInfo {
    bool isKnown = false; // false: nobody has answered yet
    QString backend; // "docker", "bubblewrap", "" (none)
    QString isolation;
    bool weakLimits = false;
    UserError problem; // `what` empty: none
    QStringList missingModules; // that the graph's code imports, and that the sandbox's Python would have if
                                // it were prepared
};

// The mode of a graph's sessions, in words.
struct ModeInfo {
    QString name; // "Memory · Local data"
    QStringList hosts; // hosts that sandboxes can reach; empty means no network
    bool fetchesData = false; // this program loads datasets for the nodes
    bool operator==(const ModeInfo&) const = default;
};

// The findings of a graph as it is edited.
struct GraphCheck {
    std::vector<graph::Problem> problems;
    ModeInfo mode;
};

// The facts that the window shows of a project as a whole.
struct ProjectInfo {
    QString folder;
    QString graphPath;
    QString database; // path of the checkpoint database
    QString
        shared; // address of the database with the threads, without its password; empty: the file has them
    QString bucket; // with the artifacts' contents ("s3://bucket/prefix"); empty: they are in the project's
                    // folder
    QString graphName;
    graph::Graph graph;
    std::vector<graph::Problem> problems;
    bool isReadOnly = false; // a database from elsewhere, without its graph
    QString readOnlyWhy; // its folder can only be read: why; empty: it was opened as a database
    std::string fileText; // what stood in the file
    std::string unsaved; // edits that a crash left in the journal; empty: none
    bool isUnsavedOlder = false; // they were made on another text of the file
    bool isOpenElsewhere = false; // another window had it open before
    QString editFault; // why the graph must not be edited here: saving would lose something; empty: it may
    bool isReadable = true; // false: `graph` is empty, or the one of before the file was broken
    SandboxInfo sandbox;
    ModeInfo mode;
};

} // namespace sg::ui
