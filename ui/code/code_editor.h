#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/rows/rows.h"
#include "ui/code/code_view.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;

namespace sg::ui {

class Banner;
class CodeFiles;
class GraphDocument;
class Strip;

// Edits the code of the selected node: the file that it names, or the program in the graph itself. Typing in
// a program makes a step of the document; a file is written when the graph is saved.
class CodeEditor : public QWidget {
    Q_OBJECT
public:
    explicit CodeEditor(GraphDocument& document, QWidget* parent = nullptr);

    void setFolder(const QString& folder); // of the project; closes all files
    void setNode(const NodeId& node);
    [[nodiscard]] bool hasCode() const; // whether the node has code
    void setSessionNames(const QStringList& names); // names for completion
    void setProblems(const std::vector<graph::Problem>& problems);
    void openLine(int line); // of what is shown, and the keyboard goes there
    void setFailure(const QString& traceback, const QString& message); // of the node; empty: none
    [[nodiscard]] CodeFiles& files() const { return *m_files; }

Q_SIGNALS:
    void shownChanged(); // hasCode() may have changed

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* createHead();
    QWidget* createSearch();
    void showCode();
    void showProgram(const graph::Node& node);
    void showFile(const QString& name);
    void showHead();
    void showConflict();
    void showMarks();
    void takeProgram();
    void giveWords();
    void search(bool forward);
    void openOutside() const;
    [[nodiscard]] CodeView* current() const;

    GraphDocument& m_document;
    CodeFiles* m_files;
    QString m_folder;
    NodeId m_node;
    QString m_file; // the shown file; empty for a program
    bool m_hasCode = false;
    std::vector<graph::Problem> m_problems;
    QString m_traceback;
    QString m_failure;
    QStringList m_sessionNames;
    QLabel* m_title = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_open = nullptr;
    Banner* m_banner;
    Strip* m_searchRow = nullptr;
    QLineEdit* m_search = nullptr;
    QStackedLayout* m_stack;
    CodeView* m_program;
    QTimer m_fileSoon; // a file name is not opened at each letter that is typed
    QTimer m_marksSoon; // failed lines may have been mended by editing
};

} // namespace sg::ui
