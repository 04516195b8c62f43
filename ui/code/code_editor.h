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

// The code of the selected node: the file that it names, or the program that stands in the graph itself. What
// is typed into a program is a step of the document; a file is written as the graph is saved.
class CodeEditor : public QWidget {
    Q_OBJECT
public:
    explicit CodeEditor(GraphDocument& document, QWidget* parent = nullptr);

    void setFolder(const QString& folder); // of the project; forgets all files
    void setNode(const NodeId& node);
    [[nodiscard]] bool hasCode() const; // of the node
    void setSessionNames(const QStringList& names); // that code may use beside its own
    void setProblems(const std::vector<graph::Problem>& problems);
    void openLine(int line); // of what is shown, and the keyboard goes there
    void setFailure(const QString& traceback, const QString& message); // of the node; empty: none
    [[nodiscard]] CodeFiles& files() const { return *m_files; }

Q_SIGNALS:
    void shownChanged(); // hasCode()

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
    QString m_file; // shown; empty: a program
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
    QTimer m_fileSoon; // a name that is being typed is not opened letter by letter
    QTimer m_marksSoon; // what failed may have been mended by what is typed
};

} // namespace sg::ui
