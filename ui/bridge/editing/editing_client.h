#pragma once

#include "core/graph/graph_file.h"
#include "core/runs/code_check.h"
#include "ui/bridge/editing/graph_export.h"
#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/code_file_row.h"
#include "ui/bridge/rows/history_rows.h"
#include "ui/bridge/rows/project_info.h"

#include <QFileSystemWatcher>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::ui {

// Checks, saves and follows the graph and its code files, and keeps unsaved edits for a crash. Reads former
// versions and converts other programs' forms. Writes happen in the order of calls.
class EditingClient : public Client {
    Q_OBJECT
public:
    explicit EditingClient(OpenProject& project);

    void checkGraph(const std::string& graphText); // newest request wins
    // `expected` is the file's text when it was read; see projects::saveGraphText.
    void saveGraph(const std::string& graphText, const std::string& expected);
    // Writes to the journal; an empty text means that nothing is unsaved. `base` is the file's text when it
    // was read.
    void keepEdits(const std::string& graphText, const std::string& base);
    void reloadGraph(); // graphChanged() follows
    // Writes the given graph in another program's form; for Python, `target` is a new or empty folder.
    void exportGraph(const graph::Graph& graph, GraphFormat format, const QString& target);
    // Makes a new graph file and code files from LangGraph's JSON; existing files are not overwritten.
    void importGraph(const QString& json, const QString& graphFile);
    // Code files go by their names in the graph. A loaded file is loaded again when another program changes
    // it. `expected` is its text when it was loaded, nothing if there was no file.
    void loadCode(const QString& name);
    void saveCode(const QString& name, const QString& text, const std::optional<QString>& expected);
    void keepCode(const QString& name, const QString& text); // like keepEdits()
    void loadGraphAt(const QString& thread, const QString& checkpoint); // as its run was started
    void loadCommittedGraph(const QString& revision); // the graph's file in git
    // A graph guessed from the checkpoints of a thread, for a project without a graph.
    void loadSkeleton(const QString& thread);

Q_SIGNALS:
    void graphChanged(const sg::ui::ProjectInfo& info); // another program changed the file
    void graphChecked(const sg::ui::GraphCheck& check);
    // `theirs` is the text that another program put into the file; then nothing was written.
    void graphSaved(const std::string& graphText, const sg::ui::UserError& error,
                    const std::optional<std::string>& theirs);
    // `notes` are the differences from the graph here, one a line.
    void graphExported(const QString& target, const QString& notes, const sg::ui::UserError& error);
    void graphImported(const QString& graphFile, const QString& notes, const sg::ui::UserError& error);
    void codeLoaded(const sg::ui::CodeFileRow& file);
    void codeSaved(const QString& name, const QString& text, const sg::ui::UserError& error, bool conflict);
    void graphVersionLoaded(const sg::ui::GraphVersion& version);
    void skeletonLoaded(const QString& thread, const sg::graph::Graph& graph);

private:
    void begin(const ProjectInfo& info);
    void askPython(); // checks the code files; graphChecked() follows if the result changed
    void watchFiles();
    void followCode(const QString& name);
    template<typename Keep>
    void keep(Keep keep);

    Latest m_check;
    Latest m_reload; // readers run in parallel: a later question may be answered first
    Latest m_python;
    QFileSystemWatcher m_files;
    QTimer m_settle; // editors write in several steps
    QStringList m_code; // loaded files, which are watched
    std::string m_checkedText; // of the graph at its last check
    std::shared_ptr<const runs::CodeFaults> m_faults; // Python's verdict on the code files
};

} // namespace sg::ui
