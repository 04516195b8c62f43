#pragma once

#include "ui/bridge/session_rows.h"

#include <QHash>
#include <QPlainTextEdit>
#include <QStringList>
#include <QWidget>

class QCompleter;
class QPushButton;
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

// Cells in a thread's live session, one after another, with what they print.
class ConsoleView : public QWidget {
    Q_OBJECT
public:
    explicit ConsoleView(QWidget* parent = nullptr);

    void setThread(const QString& thread); // another one has its own cells
    void print(const std::vector<LogRow>& lines);
    void end(const CellEnd& end);
    void setMoment(double timeMs); // what was said later is quiet; NaN: the newest
    void showCompletion(const CodeCompletion& completion) { m_input->showCompletion(completion); }

Q_SIGNALS:
    void momentRequested(double timeMs); // by a double click on a line, or Enter
    void cellEntered(const QString& code);
    void stopRequested();
    void completionWanted(const QString& code, int cursor);

private:
    bool eventFilter(QObject* watched, QEvent* event) override; // of the output
    [[nodiscard]] double timeOf(const QTextBlock& line) const;
    void showMoment();
    void run(const QString& code);
    void append(const QString& text, const QTextCharFormat& format);
    void setBusy(bool busy);

    QPlainTextEdit* m_output;
    CodeInput* m_input;
    QPushButton* m_stop;
    QString m_thread;
    double m_began = 0; // when the first line came; each tells its time from there
    double m_moment = kUnknown;
    QHash<QString, QStringList> m_histories; // by thread
};

} // namespace sg::ui
