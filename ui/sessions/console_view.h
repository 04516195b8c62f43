#pragma once

#include "ui/sessions/code_input.h"
#include "ui/sessions/session_choice.h"

#include <QWidget>

#include <map>

class QAction;
class QLabel;
class QPushButton;
class QTextBlock;
class QTextCharFormat;
class QTextDocument;

namespace sg::ui {

// A console for cells in a thread's live session, with their output. Each thread has its own cells, which
// continue while another thread is shown.
class ConsoleView : public QWidget {
    Q_OBJECT
public:
    explicit ConsoleView(QWidget* parent = nullptr);

    [[nodiscard]] QAction* stopAction() const { return m_stopAction; } // ends the cell that runs
    void setPlace(const ConsolePlace& place);
    void clear(); // for all threads, when another project is shown
    void print(const QString& thread, const std::vector<LogRow>& lines);
    void end(const QString& thread, const CellEnd& end);
    void setMoment(double timeMs); // later lines are muted; NaN is the present
    void showCompletion(const CodeCompletion& completion) { m_input->showCompletion(completion); }

Q_SIGNALS:
    void momentRequested(double timeMs); // by a double click on a line, or Enter
    void cellEntered(const QString& thread, const QString& code);
    void stopRequested(const QString& thread);
    void completionWanted(const QString& thread, const QString& code, int cursor);

private:
    struct Cells { // of one thread
        QTextDocument* output = nullptr; // owned by the view
        double began = 0; // time of the first line; each line stores its distance from it
        bool isBusy = false;
        QStringList history;
        QString typed; // typed text, kept while another thread is shown
    };
    bool eventFilter(QObject* watched, QEvent* event) override; // filters the output's events
    Cells& cellsOf(const QString& thread);
    void createFoot();
    void showPlace();
    void showCells();
    [[nodiscard]] double timeOf(const QTextBlock& line);
    void showMoment();
    void run(const QString& code);
    void append(Cells& cells, const QString& text, const QTextCharFormat& format);
    void setBusy(Cells& cells, bool busy);

    QPlainTextEdit* m_output;
    CodeInput* m_input = nullptr;
    QLabel* m_sign = nullptr;
    QLabel* m_words = nullptr;
    QPushButton* m_stop = nullptr;
    QAction* m_stopAction = nullptr;
    ConsolePlace m_place;
    double m_moment = kUnknown;
    std::map<QString, Cells> m_cells; // by thread
};

} // namespace sg::ui
