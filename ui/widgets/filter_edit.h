#pragma once

#include <QLineEdit>

class QTimer;

namespace sg::ui {

// A line edit with a sign before it; tells what was typed once typing pauses. Esc clears.
class FilterEdit : public QLineEdit {
    Q_OBJECT
public:
    enum class Sign { Filter, Search };
    explicit FilterEdit(const QString& placeholder, Sign sign = Sign::Filter, QWidget* parent = nullptr);

    void setFilter(const QString& text); // as if typed, but told at once

Q_SIGNALS:
    void filterChanged(const QString& text); // trimmed; at most once per 150 ms

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void tell();

    QTimer* m_pause;
    QString m_told;
};

} // namespace sg::ui
