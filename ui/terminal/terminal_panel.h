#pragma once

#include "ui/bridge/rows/rows.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace sg::ui {

class Banner;
class ElidedLabel;
class EmptyState;
struct PanelParts;
class TerminalLine;
class TerminalView;

// A shell in the shown thread's session, one at a time. It is opened only by the user, because it changes the
// live session.
class TerminalPanel : public QWidget {
    Q_OBJECT
public:
    explicit TerminalPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit TerminalPanel(QWidget* parent = nullptr); // shows what it is given

    void setThread(const QString& thread);
    void setSessions(const std::vector<SessionRow>& sessions);
    void clear(); // for another project
    void setMoment(double timeMs); // the time that other panels show; NaN is the present
    void open(); // opens a shell in the thread's session, unless there is one

Q_SIGNALS:
    void openRequested(const QString& session, const std::shared_ptr<sg::ui::TerminalLine>& line);

private:
    enum class Page { Empty, Shell };
    void choose(); // chooses the thread's session
    void close(const QString& why);
    void showState();
    void paintEvent(QPaintEvent* event) override;

    QString m_thread;
    std::vector<SessionRow> m_sessions;
    SessionRow m_session; // the session that can have a shell; its id is empty if there is none
    QString m_shellOf; // the session of the shown shell; empty if there is none
    std::shared_ptr<TerminalLine> m_line; // null after the end of the shell
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QPushButton* m_openButton;
    QLabel* m_name;
    ElidedLabel* m_facts;
    QPushButton* m_again;
    QPushButton* m_close;
    Banner* m_banner;
    TerminalView* m_view;
};

} // namespace sg::ui
