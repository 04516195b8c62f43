#pragma once

#include "ui/bridge/rows/rows.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QLineEdit;

namespace sg::ui {

// The row numbers of a table's page, with buttons for other pages and a field for a row number.
class PageBar : public QWidget {
    Q_OBJECT
public:
    explicit PageBar(QWidget* parent = nullptr);
    void showPage(const ArtifactPreview& preview);

Q_SIGNALS:
    void pageRequested(qint64 row);

private:
    QToolButton* addButton(QLatin1String iconName, const QString& name, qint64 (PageBar::*target)() const);
    [[nodiscard]] qint64 before() const;
    [[nodiscard]] qint64 after() const;
    void go(qint64 row);

    qint64 m_first = 0;
    qint64 m_total = -1;
    QLabel* m_words;
    QLineEdit* m_row;
    QToolButton* m_back;
    QToolButton* m_on;
};

} // namespace sg::ui
