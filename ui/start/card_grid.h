#pragma once

#include <QList>
#include <QWidget>

namespace sg::ui {

// Cards of one size in as many columns as there is room for. Its height follows from its width.
class CardGrid : public QWidget {
    Q_OBJECT
public:
    CardGrid(int cardWidth, int gap, QWidget* parent); // as designed for 13 px text
    void setCards(const QList<QWidget*>& cards); // which become its children; those before are deleted
    void showOnly(const QList<QWidget*>& cards); // of them

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();

    QList<QWidget*> m_cards;
    QList<QWidget*> m_shown;
    const int m_cardWidth;
    const int m_gap;
};

} // namespace sg::ui
