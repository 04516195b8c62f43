#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/macro/macro.h"

#include <QElapsedTimer>
#include <QImage>
#include <QObject>
#include <QTimer>

namespace sg::ui {

class MainWindow;

// Work to do without a person, in this order. A member that is empty is not wanted.
struct BatchOrder {
    QString thread;
    QString checkpoint; // a step's number, an id, "head"
    QString node;
    QString layout; // "build", "debug", "session", "review"
    QString macro; // file
    QString panel; // by its title
    QString screenshot; // PNG file
    QString exported; // file, whose ending says the form

    [[nodiscard]] bool makesFile() const { return !screenshot.isEmpty() || !exported.isEmpty(); }
    friend bool operator==(const BatchOrder&, const BatchOrder&) = default;
};

// Does the work in a window that was just shown, then reports an exit code, as the command line has them.
class BatchJob : public QObject {
    Q_OBJECT
public:
    enum Exit { Done = 0, Failed = 1, Usage = 2, InvalidGraph = 3, NodeFailed = 4 };

    BatchJob(MainWindow& window, const BatchOrder& order, QObject* parent);
    // Returns what is wrong with the order whatever is opened, such as an unknown layout or ending; empty:
    // nothing.
    [[nodiscard]] static QString faultIn(const BatchOrder& order);

Q_SIGNALS:
    void done(int code, const QString& problem); // plain text; empty: all is well

private:
    void begin(); // something is shown
    void playFile();
    void showPanel();
    void look();
    void save(const QImage& picture);
    void exportGraph();
    void end(int code, const QString& problem);
    [[nodiscard]] Macro wishes() const; // what is to be chosen

    MainWindow& m_window;
    BatchOrder m_order;
    UserError m_notOpened;
    QTimer m_look;
    QElapsedTimer m_sinceLook;
    QImage m_seen;
    int m_same = 0; // pictures in a row that did not differ
    bool m_hasChosen = false;
    bool m_isOver = false;
};

} // namespace sg::ui
