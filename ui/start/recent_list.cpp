#include "ui/start/recent_list.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QAbstractButton>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kRecentRow = 32;
constexpr int kNameColumn = 150;
constexpr int kKindColumn = 110;
constexpr int kTimeColumn = 96;
constexpr int kCross = 24;

QString shortPath(const QString& path)
{
    const QString home = QDir::homePath();
    return path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

// The folder of a graph's file: the name tells the graph.
QString placeOf(const QString& path)
{
    return shortPath(path.endsWith(QLatin1String(".graph.json")) ? QFileInfo(path).path() : path);
}

class Row final : public QAbstractButton {
public:
    Row(const RecentRow& row, RecentList& list)
        : QAbstractButton(&list)
        , m_row(row)
        , m_list(list)
        , m_remove(new QToolButton(this))
    {
        setText(row.name);
        setObjectName(QStringLiteral("recentProject"));
        setAccessibleName(tr("Open %1").arg(row.name));
        setAccessibleDescription(row.path);
        setToolTip(row.path);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setFixedHeight(scaledLength(kRecentRow));
        m_remove->setIcon(sg::ui::icon(QLatin1String("close")));
        m_remove->setAutoRaise(true);
        m_remove->setAccessibleName(tr("Take %1 off the list").arg(row.name));
        m_remove->setToolTip(tr("Take it off the list; the files stay (Del)"));
        m_remove->setFocusPolicy(Qt::NoFocus);
        m_remove->hide();
        connect(m_remove, &QToolButton::clicked, &m_list,
                [this] { Q_EMIT m_list.removeRequested(m_row.path); });
    }

protected:
    void resizeEvent(QResizeEvent*) override
    {
        const int side = scaledLength(kCross);
        m_remove->setGeometry(width() - side - 6, (height() - side) / 2, side, side);
    }
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const bool isMarked = underMouse() || hasFocus();
        if (isMarked)
            painter.fillRect(rect().adjusted(1, 0, -1, 0), color(&Tokens::hover));
        if (hasFocus()) {
            painter.setPen(QPen(color(&Tokens::accent), 1));
            painter.drawRect(QRectF(rect()).adjusted(1.5, 0.5, -1.5, -1.5));
        }
        const int time = width() - scaledLength(kTimeColumn) - scaledLength(kCross) - 12;
        const int kind = time - scaledLength(kKindColumn);
        const int place = 36 + scaledLength(kNameColumn);
        paintIcon(painter, RecentList::kindIcon(m_row.kind), QRectF(12, height() / 2.0 - 8, 16, 16),
                  color(&Tokens::text2));
        painter.setFont(uiFont(TextSize::Dense, QFont::DemiBold));
        cell(painter, 36, place - 8, text(), &Tokens::text, Qt::ElideRight);
        painter.setFont(uiFont(TextSize::Dense));
        cell(painter, place, kind - 8, placeOf(m_row.path), &Tokens::text2, Qt::ElideMiddle);
        cell(painter, kind, time - 8, RecentList::kindText(m_row.kind), &Tokens::text2, Qt::ElideRight);
        if (m_row.openedMs > 0) {
            painter.setPen(color(&Tokens::text2));
            painter.drawText(QRect(time, 0, scaledLength(kTimeColumn), height()),
                             Qt::AlignVCenter | Qt::AlignRight,
                             formatDay(m_row.openedMs, QDateTime::currentDateTime()));
        }
        painter.fillRect(1, height() - 1, width() - 2, 1, color(&Tokens::subtle));
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            click();
        else if (event->key() == Qt::Key_Delete)
            Q_EMIT m_list.removeRequested(m_row.path);
        else
            QAbstractButton::keyPressEvent(event);
    }
    void enterEvent(QEnterEvent*) override { showCross(); }
    void leaveEvent(QEvent*) override { showCross(); }
    void focusInEvent(QFocusEvent* event) override
    {
        QAbstractButton::focusInEvent(event);
        showCross();
    }
    void focusOutEvent(QFocusEvent* event) override
    {
        QAbstractButton::focusOutEvent(event);
        showCross();
    }

private:
    void showCross()
    {
        m_remove->setVisible(underMouse() || hasFocus());
        update();
    }
    void cell(QPainter& painter, int left, int right, const QString& words, Token ink,
              Qt::TextElideMode mode) const
    {
        painter.setPen(color(ink));
        painter.drawText(QRect(left, 0, right - left, height()), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(words, mode, right - left));
    }

    const RecentRow m_row;
    RecentList& m_list;
    QToolButton* m_remove;
};

} // namespace

RecentList::RecentList(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 1, 0, 1);
    m_column->setSpacing(0);
}

QString RecentList::kindText(RecentRow::Kind kind)
{
    switch (kind) {
    case RecentRow::Kind::Project: return tr("Project");
    case RecentRow::Kind::Database: return tr("Database");
    case RecentRow::Kind::ReadOnly: return tr("Read-only folder");
    }
    return {};
}

QLatin1String RecentList::kindIcon(RecentRow::Kind kind)
{
    switch (kind) {
    case RecentRow::Kind::Project: return QLatin1String("graph");
    case RecentRow::Kind::Database: return QLatin1String("dataset");
    case RecentRow::Kind::ReadOnly: return QLatin1String("eye");
    }
    return {};
}

void RecentList::setRows(const QList<RecentRow>& rows)
{
    m_rows = rows;
    filter(m_words);
}

void RecentList::filter(const QString& words)
{
    m_words = words;
    QList<RecentRow> shown;
    for (const RecentRow& row : std::as_const(m_rows))
        if (words.isEmpty() || row.name.contains(words, Qt::CaseInsensitive)
            || row.path.contains(words, Qt::CaseInsensitive)
            || kindText(row.kind).contains(words, Qt::CaseInsensitive))
            shown << row;
    showRows(shown);
}

void RecentList::showRows(const QList<RecentRow>& rows)
{
    while (QLayoutItem* item = m_column->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater(); // it may be the one that was clicked
        }
        delete item;
    }
    for (const RecentRow& row : rows) {
        auto* shown = new Row(row, *this);
        connect(shown, &QAbstractButton::clicked, this,
                [this, path = row.path] { Q_EMIT openRequested(path); });
        m_column->addWidget(shown);
        shown->show();
    }
    if (!rows.isEmpty())
        return;
    auto* none = new QLabel(m_rows.isEmpty() ? tr("What you open appears here.")
                                             : tr("Nothing that was open has “%1” in its name.").arg(m_words),
                            this);
    none->setTextFormat(Qt::PlainText);
    none->setContentsMargins(12, 0, 12, 0);
    none->setFixedHeight(scaledLength(kRecentRow));
    none->setForegroundRole(QPalette::PlaceholderText);
    m_column->addWidget(none);
}

void RecentList::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(&Tokens::border), 1));
    painter.setBrush(color(&Tokens::raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

} // namespace sg::ui
