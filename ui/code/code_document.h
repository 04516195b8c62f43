#pragma once

#include "core/graph/graph.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace sg::ui {

class CodeEditor;
class CodeFileBanner;
class CodeView;
class FindBar;

// A code file in a tab: the same text as in the inspector, with find and replace, the values that its names
// hold, and what can be done with the node that runs it.
class CodeDocument : public QWidget {
    Q_OBJECT
public:
    CodeDocument(CodeEditor& code, const QString& file, QWidget* parent = nullptr);

    [[nodiscard]] const QString& file() const { return m_file; }
    [[nodiscard]] CodeView& view() const { return *m_view; }
    void openLine(int line);
    // Takes the names that a live session offers for the code that namesWanted() told.
    void offerNames(const QString& code, int typed, const QStringList& names);

Q_SIGNALS:
    void runToRequested(const sg::NodeId& node);
    void namesWanted(const QString& code);

private:
    QWidget* createHead();
    void showHead();
    void showValues();
    [[nodiscard]] NodeId node() const; // the first that runs the file

    CodeEditor& m_code;
    const QString m_file;
    QLabel* m_path = nullptr;
    QLabel* m_runsAs = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_values = nullptr;
    QPushButton* m_runTo = nullptr;
    CodeFileBanner* m_banner;
    FindBar* m_find;
    CodeView* m_view;
    QTimer m_valuesSoon; // lines move as they are typed
};

} // namespace sg::ui
