#pragma once

#include <QLineEdit>

class QTimer;

namespace sg::ui {

// A line edit with a sign before the text. It emits the text once typing pauses. Esc clears it.
class FilterEdit : public QLineEdit {
    Q_OBJECT
public:
    enum class Sign { Filter, Search };
    explicit FilterEdit(const QString& placeholder, Sign sign = Sign::Filter, QWidget* parent = nullptr);

    void setFilter(const QString& text); // as if typed, but emitted at once

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
