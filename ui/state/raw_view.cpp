#include "ui/state/raw_view.h"

#include "ui/widgets/banner.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

namespace {
constexpr qsizetype kLine = 16;
}

QString hexLines(const QByteArray& bytes, qint64 offset)
{
    QString text;
    text.reserve(bytes.size() / kLine * 80 + 80);
    for (qsizetype at = 0; at < bytes.size(); at += kLine) {
        const QByteArray line = bytes.mid(at, kLine);
        QString letters;
        for (const char each : line)
            letters += each >= 0x20 && each < 0x7F ? QLatin1Char(each) : QLatin1Char('.');
        text += QStringLiteral("%1  %2  %3\n")
                    .arg(offset + at, 8, 16, QLatin1Char('0'))
                    .arg(QString::fromLatin1(line.toHex(' ')), -(kLine * 3 - 1))
                    .arg(letters);
    }
    text.chop(1);
    return text;
}

RawView::RawView(QWidget* parent)
    : QDialog(parent)
    , m_facts(new QLabel(this))
    , m_range(new QLabel(this))
    , m_bytes(new QPlainTextEdit(this))
    , m_banner(new Banner(this))
{
    setWindowTitle(tr("Raw value"));
    setObjectName(QStringLiteral("rawView"));
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_range->setFont(uiFont(TextSize::Dense));
    m_range->setForegroundRole(QPalette::PlaceholderText);
    m_bytes->setReadOnly(true);
    m_bytes->setFont(monoFont());
    m_bytes->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_bytes->setAccessibleName(tr("Bytes as hex and letters"));
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    buildButtons(row);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_facts);
    column->addWidget(m_banner);
    column->addWidget(m_bytes, 1);
    column->addLayout(row);
    m_banner->hide();
    m_banner->setClosable(true);
    connect(m_banner, &Banner::closed, m_banner, &QWidget::hide);
    resize(scaledLength(760), scaledLength(520));
}

void RawView::buildButtons(QHBoxLayout* row)
{
    const auto add = [this, row](const QString& label, const QString& tip) {
        auto* button = new QPushButton(label, this);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setAutoDefault(false);
        makeDense(button);
        row->addWidget(button);
        return button;
    };
    m_first = add(tr("First"), tr("First page"));
    m_back = add({}, tr("Page before"));
    m_back->setIcon(icon(QLatin1String("left")));
    m_next = add({}, tr("Next page"));
    m_next->setIcon(icon(QLatin1String("right")));
    m_last = add(tr("Last"), tr("Last page"));
    row->addWidget(m_range, 1);
    m_hex = add(tr("Copy as hex"), tr("Copy this page as hex"));
    m_base64 = add(tr("Copy as base64"), tr("Copy this page as base64"));
    m_save = add(tr("Save as…"), tr("Save the whole value as a file"));
    connect(m_first, &QPushButton::clicked, this, [this] { turnTo(0); });
    connect(m_back, &QPushButton::clicked, this, [this] { turnTo(m_page.offset - kRawPage); });
    connect(m_next, &QPushButton::clicked, this, [this] { turnTo(m_page.offset + kRawPage); });
    connect(m_last, &QPushButton::clicked, this,
            [this] { turnTo(m_page.size == 0 ? 0 : (m_page.size - 1) / kRawPage * kRawPage); });
    connect(m_hex, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(QString::fromLatin1(m_page.bytes.toHex())); });
    connect(m_base64, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(QString::fromLatin1(m_page.bytes.toBase64())); });
    connect(m_save, &QPushButton::clicked, this, &RawView::saveAs);
}

void RawView::open(const RawPlace& place)
{
    m_banner->hide();
    m_bytes->clear();
    RawPage first;
    first.place = place;
    setPage(first);
    m_facts->setText(tr("Reading…"));
    Q_EMIT pageRequested(place, 0);
    show();
    raise();
    activateWindow();
    m_bytes->setFocus();
}

void RawView::turnTo(qint64 offset)
{
    Q_EMIT pageRequested(m_page.place, std::max<qint64>(offset, 0));
}

void RawView::setPage(const RawPage& page)
{
    if (!page.error.what.isEmpty()) {
        m_facts->setText(page.place.pointer);
        m_bytes->clear();
        m_banner->clearActions();
        m_banner->showMessage(Banner::Kind::Error,
                              tr("**These bytes cannot be shown.** %1").arg(page.error.what));
        connect(m_banner->addButton(tr("Try again")), &QPushButton::clicked, this,
                [this] { turnTo(m_page.offset); });
    } else {
        if (m_banner->kind() == Banner::Kind::Error)
            m_banner->hide();
        QStringList facts{ page.place.pointer.isEmpty() ? tr("The checkpoint itself") : page.place.pointer,
                           page.type };
        if (!page.module.isEmpty())
            facts << page.module;
        facts << tr("%1 bytes").arg(formatCount(page.size));
        facts << tr("not interpreted");
        m_facts->setText(facts.join(QStringLiteral(" · ")));
        m_bytes->setPlainText(hexLines(page.bytes, page.offset));
    }
    m_page = page;
    const qint64 end = page.offset + page.bytes.size();
    m_range->setText(
        page.bytes.isEmpty()
            ? QString()
            : tr("%1–%2 of %3").arg(formatCount(page.offset), formatCount(end - 1), formatCount(page.size)));
    m_first->setEnabled(page.offset > 0);
    m_back->setEnabled(page.offset > 0);
    m_next->setEnabled(end < page.size);
    m_last->setEnabled(end < page.size);
    for (QPushButton* button : { m_hex, m_base64, m_save })
        button->setEnabled(!page.bytes.isEmpty());
}

void RawView::saveAs()
{
    auto* dialog = new QFileDialog(this, tr("Save the value's bytes"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(QStringLiteral("value.bin"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { Q_EMIT saveRequested(m_page.place, file); });
    dialog->open();
}

void RawView::setSaved(const QString& file, const UserError& error)
{
    m_banner->clearActions();
    if (error.what.isEmpty())
        m_banner->showMessage(Banner::Kind::Info, tr("Saved as `%1`.").arg(file));
    else
        m_banner->showMessage(Banner::Kind::Error, tr("**Not saved.** %1").arg(error.what));
}

} // namespace sg::ui
