#pragma once

#include "core/graph/graph_file.h"
#include "core/runs/code_check.h"
#include "ui/bridge/editing/graph_export.h"
#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/code_file_row.h"
#include "ui/bridge/rows/history_rows.h"

#include <QFileSystemWatcher>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::ui {

// The graph and its code files as they are being edited: checked, saved, kept for a crash; followed where
// other programs change them; and as they were, or as others write them. What is written goes in order.
class EditingClient : public Client {
    Q_OBJECT
public:
    explicit EditingClient(OpenProject& project);

    void checkGraph(const std::string& graphText); // newest request wins
    // `expected`: what stood in the file when it was read. See projects::saveGraphText.
    void saveGraph(const std::string& graphText, const std::string& expected);
    // In the journal; empty: nothing is unsaved. `base`: what stood in the file when it was read.
    void keepEdits(const std::string& graphText, const std::string& base);
    void reloadGraph(); // graphChanged() follows
    // In another program's form, as it is given here; Python: `target` is a new or empty folder.
    void exportGraph(const graph::Graph& graph, GraphFormat format, const QString& target);
    // LangGraph's JSON as a new graph file with code files beside it; nothing is written over.
    void importGraph(const QString& json, const QString& graphFile);
    // Code files, by their names in the graph. A file that was loaded is loaded again where another program
    // changes it. `expected`: what stood there when it was loaded; none: there was no file.
    void loadCode(const QString& name);
    void saveCode(const QString& name, const QString& text, const std::optional<QString>& expected);
    void keepCode(const QString& name, const QString& text); // as keepEdits()
    void loadGraphAt(const QString& thread, const QString& checkpoint); // what its run was started on
    void loadCommittedGraph(const QString& revision); // what git has of the graph's file
    // What the checkpoints of a thread tell of a graph that is not there.
    void loadSkeleton(const QString& thread);

Q_SIGNALS:
    void graphChanged(const sg::ui::ProjectInfo& info); // the file was edited elsewhere
    void graphChecked(const std::vector<sg::graph::Problem>& problems);
    // `theirs`: what another program put into the file; nothing was written then.
    void graphSaved(const std::string& graphText, const sg::ui::UserError& error,
                    const std::optional<std::string>& theirs);
    // `notes`: what is otherwise there than here, a line each.
    void graphExported(const QString& target, const QString& notes, const sg::ui::UserError& error);
    void graphImported(const QString& graphFile, const QString& notes, const sg::ui::UserError& error);
    void codeLoaded(const sg::ui::CodeFileRow& file);
    void codeSaved(const QString& name, const QString& text, const sg::ui::UserError& error, bool conflict);
    void graphVersionLoaded(const sg::ui::GraphVersion& version);
    void skeletonLoaded(const QString& thread, const sg::graph::Graph& graph);

private:
    void begin(const ProjectInfo& info);
    void askPython(); // about the code files; graphChecked() follows where it says something else
    void watchFiles();
    void followCode(const QString& name);
    template<typename Keep>
    void keep(Keep keep);

    Latest m_check;
    Latest m_reload; // several read at a time: a later question may be answered before
    Latest m_python;
    QFileSystemWatcher m_files;
    QTimer m_settle; // editors write in several steps
    QStringList m_code; // files that were loaded: they are followed
    std::string m_checkedText; // of the graph, when it was checked last
    std::shared_ptr<const runs::CodeFaults> m_faults; // what Python said of the code files
};

} // namespace sg::ui
