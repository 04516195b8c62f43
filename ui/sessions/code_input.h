#pragma once

#include "ui/bridge/rows/session_rows.h"

#include <QPlainTextEdit>
#include <QStringList>

class QCompleter;
class QStringListModel;

namespace sg::ui {

// Where code is typed: Enter runs what is whole, Shift+Enter is a new line, up and down walk through what was
// run before, Tab completes.
class CodeInput : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeInput(QWidget* parent = nullptr);
    void setHistory(const QStringList& history); // oldest first
    void showCompletion(const CodeCompletion& completion); // of a text that has changed since: ignored

Q_SIGNALS:
    void entered(const QString& code);
    void completionWanted(const QString& code, int cursor);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool walk(int by); // through the history
    bool isWhole() const;
    void insert(const QString& match);
    void fitHeight();

    QStringList m_history;
    qsizetype m_place = 0; // in the history; at its end: what is being typed
    QString m_typed;
    CodeCompletion m_completion;
    QCompleter* m_completer;
    QStringListModel* m_matches;
};

} // namespace sg::ui
