#pragma once

#include <QLabel>

namespace sg::ui {

// One line of plain text that is elided to the label's width; the tooltip shows the whole.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr,
                         Qt::TextElideMode mode = Qt::ElideRight);

    void setFullText(const QString& text);
    [[nodiscard]] const QString& fullText() const { return m_text; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void shorten();

    QString m_text;
    Qt::TextElideMode m_mode;
};

} // namespace sg::ui
