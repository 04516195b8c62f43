#pragma once

#include "ui/bridge/rows/session_rows.h"

#include <QPlainTextEdit>
#include <QStringList>

class QCompleter;
class QStringListModel;

namespace sg::ui {

// Edits a cell's code: Enter runs complete code, Shift+Enter adds a line, up and down go through earlier
// cells, Tab completes.
class CodeInput : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeInput(QWidget* parent = nullptr);
    void setHistory(const QStringList& history); // oldest first
    void showCompletion(const CodeCompletion& completion); // ignored if the text has changed since

Q_SIGNALS:
    void entered(const QString& code);
    void completionWanted(const QString& code, int cursor);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool walk(int by); // moves through the history
    bool isWhole() const;
    void insert(const QString& match);
    void fitHeight();

    QStringList m_history;
    qsizetype m_place = 0; // index in m_history; its size means the text being typed
    QString m_typed;
    CodeCompletion m_completion;
    QCompleter* m_completer;
    QStringListModel* m_matches;
};

} // namespace sg::ui
