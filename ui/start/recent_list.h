#pragma once

#include "ui/bridge/rows/project_rows.h"

#include <QWidget>

class QVBoxLayout;

namespace sg::ui {

// Lists what was open before, the newest first: a click opens it again, its cross or Delete takes it off the
// list.
class RecentList : public QWidget {
    Q_OBJECT
public:
    explicit RecentList(QWidget* parent);
    void setRows(const QList<RecentRow>& rows);
    void filter(const QString& words); // in name, path and kind

    static QString kindText(RecentRow::Kind kind);
    static QLatin1String kindIcon(RecentRow::Kind kind);

Q_SIGNALS:
    void openRequested(const QString& path);
    void removeRequested(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showRows(const QList<RecentRow>& rows);

    QVBoxLayout* m_column;
    QList<RecentRow> m_rows;
    QString m_words;
};

} // namespace sg::ui
