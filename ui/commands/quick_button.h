#pragma once

#include <QAbstractButton>

namespace sg::ui {

// Looks like a search field with its shortcut on the right; in a narrow window only the icon is shown.
class QuickButton : public QAbstractButton {
    Q_OBJECT
public:
    QuickButton(const QString& text, const QString& key, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // filters the window's events
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] bool isNarrow() const;

    QString m_key;
};

} // namespace sg::ui
