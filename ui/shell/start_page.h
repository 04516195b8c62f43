#pragma once

#include <QWidget>

class QFrame;
class QVBoxLayout;

namespace sg::ui {

struct RecentProject {
    QString name;
    QString folder;
};

// What stands where no project is open: three choices and what was open before.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecent(const QList<RecentProject>& projects);
    void setBusy(bool busy); // a project is being opened

Q_SIGNALS:
    void sampleRequested();
    void newRequested();
    void openRequested();
    void recentRequested(const QString& folder);

private:
    QVBoxLayout* m_recent;
    QWidget* m_choices;
};

} // namespace sg::ui
