#pragma once

#include "ui/bridge/rows/project_rows.h"

#include <QAbstractButton>

namespace sg::ui {

// A graph to begin with: its picture, its name and a line of facts. Checked: it is the one that is chosen.
class TemplateCard : public QAbstractButton {
    Q_OBJECT
public:
    TemplateCard(TemplateRow row, int pictureHeight, QWidget* parent);
    [[nodiscard]] const TemplateRow& row() const { return m_row; }
    void setVerb(const QString& verb); // told beside the name: "Open sample"
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void activated(); // double click, or Enter

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void paintWords(QPainter& painter, const QRectF& room);

    const TemplateRow m_row;
    const int m_pictureHeight; // as designed for 13 px text
    QString m_verb;
};

} // namespace sg::ui
