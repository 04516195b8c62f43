#pragma once

#include "ui/bridge/rows/rows.h"

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QMenu;
class QPushButton;

namespace sg::ui {

class ElidedLabel;
class SegmentedControl;

// The chosen session in one row: its name and state, the choice of its view, and actions.
class SessionBar : public QWidget {
    Q_OBJECT
public:
    enum class View { List, Meters, Processes, Console, Limits };
    explicit SessionBar(QWidget* parent = nullptr);

    void show(const SessionRow& session);
    void forget(); // none is chosen
    void setListSeen(bool seen); // the list is visible beside, so it needs no view
    [[nodiscard]] View view() const;
    void setView(View view);

    [[nodiscard]] QMenu* extendMenu() const { return m_times; }
    [[nodiscard]] QList<QAction*> verbs() const { return { m_pauseAction, m_restartAction, m_stopAction }; }

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void viewChanged();
    void stopRequested();
    void restartRequested();
    void pauseRequested(bool pause);
    void extendRequested(int minutes);

private:
    void createActions();
    void showActions(); // what can be done with the session
    void fitWords(); // shows icons only if the texts do not fit
    void resizeEvent(QResizeEvent* event) override;
    QPushButton* addAction(QLatin1String iconName, const QString& text, const char* name, const QString& tip);
    void paintEvent(QPaintEvent* event) override;

    SessionRow m_session;
    QLabel* m_name;
    QLabel* m_state;
    ElidedLabel* m_facts;
    QLabel* m_weak;
    SegmentedControl* m_view;
    QPushButton* m_extend = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_restart = nullptr;
    QPushButton* m_stop = nullptr;
    QMenu* m_times = nullptr;
    QAction* m_pauseAction = nullptr;
    QAction* m_restartAction = nullptr;
    QAction* m_stopAction = nullptr;
};

} // namespace sg::ui
