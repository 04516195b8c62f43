#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/world_rows.h"
#include "ui/code/code_view.h"

#include <QTimer>
#include <QWidget>

#include <map>
#include <vector>

class QLabel;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace sg::ui {

class CodeFileBanner;
class CodeFiles;
class FindBar;
class GraphDocument;

// Edits the code of the selected node: the file that it names, or the program in the graph itself. Typing in
// a program makes a step of the document; a file is written when the graph is saved. It also keeps what all
// views of code share: the files, their marks, and the names of the session.
class CodeEditor : public QWidget {
    Q_OBJECT
public:
    explicit CodeEditor(GraphDocument& document, QWidget* parent = nullptr);

    void setFolder(const QString& folder); // of the project; closes all files
    void setNode(const NodeId& node);
    [[nodiscard]] bool hasCode() const; // whether the node has code
    // The names that the session held at the step that is looked at: for completion, and behind lines of
    // code.
    struct SessionValues {
        int step = 0;
        std::vector<VariableRow> names;
    };
    void setSessionValues(const SessionValues& values);
    [[nodiscard]] const SessionValues& sessionValues() const { return m_values; }
    [[nodiscard]] QStringList nodesOf(const QString& file) const; // that run it, in the shown graph
    [[nodiscard]] bool names(const QString& file) const; // any node of the whole graph runs it
    [[nodiscard]] bool isEditable() const;
    void setProblems(const std::vector<graph::Problem>& problems);
    void openLine(int line); // of what is shown, and the keyboard goes there
    void setFailure(const QString& traceback, const QString& message); // of the node; empty: none
    [[nodiscard]] CodeFiles& files() const { return *m_files; }

Q_SIGNALS:
    void shownChanged(); // hasCode() may have changed
    void valuesChanged();
    void namesChanged(); // nodesOf() may have changed
    void openRequested(const QString& file); // in a tab

private:
    QWidget* createHead();
    void showCode();
    void showProgram(const graph::Node& node);
    void showFile(const QString& name);
    void showHead();
    void showMarks();
    [[nodiscard]] std::vector<CodeMark> marksOf(const QString& file) const;
    void addVerbs(std::vector<CodeMark>& marks) const;
    void followVerb(const CodeMark& mark);
    void takeProgram();
    void giveWords();
    void openOutside() const;
    [[nodiscard]] CodeView* current() const;

    GraphDocument& m_document;
    CodeFiles* m_files;
    QString m_folder;
    NodeId m_node;
    QString m_file; // the shown file; empty for a program
    bool m_hasCode = false;
    std::vector<graph::Problem> m_problems;
    struct Failure {
        QString traceback;
        QString message;
    };
    std::map<QString, Failure> m_failures; // of the node that ran a file, by file
    SessionValues m_values;
    QLabel* m_title = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_open = nullptr;
    QToolButton* m_outside = nullptr;
    CodeFileBanner* m_banner;
    FindBar* m_find;
    QStackedLayout* m_stack;
    CodeView* m_program;
    QTimer m_fileSoon; // a file name is not opened at each letter that is typed
    QTimer m_marksSoon; // failed lines may have been mended by editing
};

} // namespace sg::ui
