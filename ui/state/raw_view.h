#pragma once

#include "ui/bridge/rows/raw_rows.h"

#include <QDialog>

class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace sg::ui {

class Banner;

// The bytes of a value in pages, as hex and ASCII. They are not decoded.
class RawView : public QDialog {
    Q_OBJECT
public:
    explicit RawView(QWidget* parent = nullptr);

    void open(const RawPlace& place); // requests the first page
    void setPage(const RawPage& page);
    void setSaved(const QString& file, const UserError& error);

Q_SIGNALS:
    void pageRequested(const sg::ui::RawPlace& place, qint64 offset);
    void saveRequested(const sg::ui::RawPlace& place, const QString& file);

private:
    void buildButtons(QHBoxLayout* row);
    void turnTo(qint64 offset);
    void saveAs();

    RawPage m_page;
    QLabel* m_facts;
    QLabel* m_range;
    QPlainTextEdit* m_bytes;
    Banner* m_banner;
    QPushButton* m_first;
    QPushButton* m_back;
    QPushButton* m_next;
    QPushButton* m_last;
    QPushButton* m_hex;
    QPushButton* m_base64;
    QPushButton* m_save;
};

// "00000010  80 04 95 0a …  ....": 16 bytes a line; `offset` is that of the first byte.
QString hexLines(const QByteArray& bytes, qint64 offset);

} // namespace sg::ui
