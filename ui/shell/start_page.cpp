#include "ui/shell/start_page.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QLabel>
#include <QLayoutItem>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kWidth = 560;

// One choice: icon, title, what it does; the default one in accent with its verb, others with their shortcut.
class ChoiceCard final : public QAbstractButton {
public:
    ChoiceCard(QLatin1String iconName, const QString& title, const QString& note, const QString& tail,
               bool isDefault, QWidget* parent)
        : QAbstractButton(parent)
        , m_icon(iconName)
        , m_note(note)
        , m_tail(tail)
        , m_isDefault(isDefault)
    {
        setText(title);
        setAccessibleName(isDefault ? tail : title);
        setAccessibleDescription(note);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setFixedHeight(scaledLength(64));
    }

    QSize sizeHint() const override { return { kWidth, scaledLength(64) }; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool marked = m_isDefault || hasFocus();
        painter.setPen(QPen(color(marked ? &Tokens::accent : &Tokens::border), 1));
        painter.setBrush(color(m_isDefault        ? &Tokens::accentTint
                                   : underMouse() ? &Tokens::alt
                                                  : &Tokens::raised));
        painter.drawRoundedRect(box, 4, 4);
        if (hasFocus()) {
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 3, 3);
        }
        const double middle = box.center().y();
        paintIcon(painter, m_icon, QRectF(18, middle - 10, 20, 20),
                  color(m_isDefault ? &Tokens::accent : &Tokens::text2));
        painter.setPen(color(&Tokens::text));
        painter.setFont(uiFont(TextSize::Normal, QFont::DemiBold));
        painter.drawText(QRectF(56, middle - 21, box.width() - 200, 20), Qt::AlignVCenter, text());
        painter.setPen(color(&Tokens::muted));
        painter.setFont(uiFont(TextSize::Dense));
        painter.drawText(QRectF(56, middle - 1, box.width() - 190, 20), Qt::AlignVCenter, m_note);
        if (m_isDefault)
            paintVerb(painter, box);
        else if (!m_tail.isEmpty())
            paintKey(painter, m_tail, { box.right() - 16 - keyWidth(m_tail), middle });
    }

    void paintVerb(QPainter& painter, const QRectF& box) const
    {
        const QFont font = uiFont(TextSize::Normal, QFont::DemiBold);
        const double width = QFontMetricsF(font).horizontalAdvance(m_tail) + 22;
        const QRectF button(box.right() - 16 - width, box.center().y() - 14, width, 28);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(&Tokens::accent));
        painter.drawRoundedRect(button, 4, 4);
        painter.setPen(color(&Tokens::onAccent));
        painter.setFont(font);
        painter.drawText(button, Qt::AlignCenter, m_tail);
    }

    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            click();
        else
            QAbstractButton::keyPressEvent(event);
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    QLatin1String m_icon;
    QString m_note;
    QString m_tail;
    bool m_isDefault;
};

class RecentRow final : public QAbstractButton {
public:
    RecentRow(const RecentProject& project, QWidget* parent)
        : QAbstractButton(parent)
        , m_folder(project.folder)
    {
        setText(project.name);
        setAccessibleName(tr("Open %1").arg(project.name));
        setAccessibleDescription(project.folder);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setFixedHeight(scaledLength(32));
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        if (underMouse() || hasFocus())
            painter.fillRect(rect(), color(&Tokens::hover));
        paintIcon(painter, QLatin1String("graph"), QRectF(16, height() / 2.0 - 8, 16, 16),
                  color(&Tokens::text2));
        painter.setFont(uiFont(TextSize::Normal));
        painter.setPen(color(&Tokens::text));
        painter.drawText(QRect(44, 0, 150, height()), Qt::AlignVCenter, text());
        painter.setFont(uiFont(TextSize::Dense));
        painter.setPen(color(&Tokens::muted));
        painter.drawText(QRect(196, 0, width() - 212, height()), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(m_folder, Qt::ElideMiddle, width() - 212));
        painter.fillRect(0, height() - 1, width(), 1, color(&Tokens::subtle));
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    QString m_folder;
};

QLabel* label(const QString& text, TextSize size, QFont::Weight weight, Token ink, QWidget* parent)
{
    auto* made = new QLabel(text, parent);
    made->setFont(uiFont(size, weight));
    QPalette colors = made->palette();
    colors.setColor(QPalette::WindowText, color(ink));
    made->setPalette(colors);
    return made;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_recent(new QVBoxLayout)
    , m_choices(new QWidget(this))
{
    setObjectName(QStringLiteral("startPage"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* sample = new ChoiceCard(QLatin1String("play"), tr("Sample: penguins"),
                                  tr("Runs offline, no model needed: three nodes, two artifacts"),
                                  tr("Open sample"), true, m_choices);
    auto* fresh =
        new ChoiceCard(QLatin1String("plus"), tr("New graph"), tr("A small graph in a new project folder"),
                       QStringLiteral("Ctrl+N"), false, m_choices);
    auto* open = new ChoiceCard(QLatin1String("folder"), tr("Open…"), tr("A project folder or a graph file"),
                                QStringLiteral("Ctrl+O"), false, m_choices);
    connect(sample, &QAbstractButton::clicked, this, &StartPage::sampleRequested);
    connect(fresh, &QAbstractButton::clicked, this, &StartPage::newRequested);
    connect(open, &QAbstractButton::clicked, this, &StartPage::openRequested);

    auto* column = new QVBoxLayout(m_choices);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(label(tr("Nothing open."), TextSize::Title, QFont::DemiBold, &Tokens::text, m_choices));
    column->addWidget(label(tr("Build a workflow, run it in a sandbox, and go back to any step."),
                            TextSize::Normal, QFont::Normal, &Tokens::text2, m_choices));
    column->addSpacing(12);
    for (ChoiceCard* card : { sample, fresh, open })
        column->addWidget(card);
    column->addSpacing(20);
    m_recent->setSpacing(0);
    column->addLayout(m_recent);
    m_choices->setFixedWidth(scaledLength(kWidth));

    auto* page = new QWidget;
    auto* middle = new QVBoxLayout(page);
    middle->setContentsMargins(24, 12, 24, 12);
    middle->addStretch(2);
    middle->addWidget(m_choices, 0, Qt::AlignHCenter);
    middle->addStretch(3);
    auto* scroll = new QScrollArea(this); // the list of recent projects may be longer than a small window
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    page->setBackgroundRole(QPalette::Base);
    scroll->setWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
}

void StartPage::setRecent(const QList<RecentProject>& projects)
{
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (projects.isEmpty())
        return;
    m_recent->addWidget(label(tr("Recent"), TextSize::Small, QFont::DemiBold, &Tokens::muted, this));
    m_recent->addSpacing(4);
    for (const RecentProject& project : projects) {
        auto* row = new RecentRow(project, this);
        connect(row, &QAbstractButton::clicked, this,
                [this, folder = project.folder] { Q_EMIT recentRequested(folder); });
        m_recent->addWidget(row);
    }
}

void StartPage::setBusy(bool busy)
{
    m_choices->setEnabled(!busy);
    if (busy)
        setCursor(Qt::BusyCursor);
    else
        unsetCursor();
}

} // namespace sg::ui
