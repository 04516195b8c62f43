#include "ui/documents/document_group.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/strip.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QEvent>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kTabsHead = 30;
constexpr int kLeastWidth = 160;
constexpr int kLeastHeight = 90;
constexpr const char* kClosable = "sgClosable";

// "penguins.graph[*]" and whether it is modified, as a tab says it.
QString tabTitle(const QWidget& document)
{
    QString title = document.windowTitle();
    title.replace(QLatin1String("[*]"), document.isWindowModified() ? QStringLiteral(" •") : QString());
    return title.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

DocumentTabs::DocumentTabs(QWidget* parent)
    : QTabBar(parent)
{
    setDocumentMode(true);
    setDrawBase(false);
    setExpanding(false);
    setMovable(true);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::TabFocus);
}

void DocumentTabs::mousePressEvent(QMouseEvent* event)
{
    const int tab = tabAt(event->pos());
    m_closing = event->button() == Qt::MiddleButton ? tab : -1;
    m_pressed = event->button() == Qt::LeftButton ? tab : -1;
    QTabBar::mousePressEvent(event);
}

void DocumentTabs::mouseMoveEvent(QMouseEvent* event)
{
    const int away = QApplication::startDragDistance();
    const bool isOut = !rect().adjusted(-away, -away, away, away).contains(event->pos());
    if (m_pressed < 0 || !isOut || !(event->buttons() & Qt::LeftButton)) {
        QTabBar::mouseMoveEvent(event);
        return;
    }
    // The bar shall not go on moving it while it is dragged elsewhere.
    QMouseEvent release(QEvent::MouseButtonRelease, event->position(), event->globalPosition(),
                        Qt::LeftButton, Qt::NoButton, event->modifiers());
    QTabBar::mouseReleaseEvent(&release);
    m_pressed = -1;
    Q_EMIT draggedOut(currentIndex()); // pressing made it the current one
}

void DocumentTabs::mouseReleaseEvent(QMouseEvent* event)
{
    m_pressed = -1;
    const int closing = m_closing;
    m_closing = -1;
    if (event->button() == Qt::MiddleButton && closing >= 0 && closing == tabAt(event->pos())) {
        Q_EMIT middleClicked(closing);
        return;
    }
    QTabBar::mouseReleaseEvent(event);
}

void DocumentTabs::contextMenuEvent(QContextMenuEvent* event)
{
    const int tab = event->reason() == QContextMenuEvent::Mouse ? tabAt(event->pos()) : currentIndex();
    if (tab >= 0)
        Q_EMIT menuRequested(tab, event->globalPos());
}

DocumentGroup::DocumentGroup(QWidget* parent)
    : QWidget(parent)
    , m_tabs(new DocumentTabs(this))
    , m_split(new QToolButton(this))
    , m_close(new QToolButton(this))
    , m_stack(new QStackedWidget(this))
{
    m_tabs->setAccessibleName(tr("Documents"));
    m_split->setAutoRaise(true);
    m_split->setFocusPolicy(Qt::NoFocus);
    m_split->hide();
    m_close->setAutoRaise(true);
    m_close->setFocusPolicy(Qt::NoFocus); // Ctrl+W does the same
    m_close->setIcon(icon(QLatin1String("close")));
    m_close->setIconSize(QSize(scaledLength(12), scaledLength(12)));
    m_close->setFixedSize(scaledLength(18), scaledLength(18));
    m_close->hide();
    connect(m_close, &QToolButton::clicked, this, [this] { Q_EMIT closeRequested(current()); });
    auto* head = new Strip(kTabsHead, &Tokens::border, this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 4, 1);
    row->setSpacing(0);
    row->addWidget(m_tabs, 1);
    row->addWidget(m_split);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(m_stack, 1);
    m_stack->setMinimumSize(scaledLength(kLeastWidth), scaledLength(kLeastHeight));
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab < 0 || tab >= m_stack->count())
            return;
        m_stack->setCurrentIndex(tab);
        showCloseButton();
        Q_EMIT currentChanged(m_stack->currentWidget());
    });
    connect(m_tabs, &QTabBar::tabMoved, this, &DocumentGroup::takeOrder);
    connect(m_tabs, &DocumentTabs::middleClicked, this, [this](int tab) { Q_EMIT closeRequested(at(tab)); });
    connect(m_tabs, &DocumentTabs::draggedOut, this, [this](int tab) { Q_EMIT dragRequested(at(tab)); });
    connect(m_tabs, &DocumentTabs::menuRequested, this,
            [this](int tab, const QPoint& place) { Q_EMIT menuRequested(at(tab), place); });
}

void DocumentGroup::add(QWidget* document, const QIcon& icon, bool isClosable, int at)
{
    const int place = at < 0 || at > m_stack->count() ? m_stack->count() : at;
    document->setProperty(kClosable, isClosable);
    m_stack->insertWidget(place, document); // first: the bar tells at once which is the current one
    m_tabs->insertTab(place, icon, tabTitle(*document));
    document->installEventFilter(this);
    m_stack->setCurrentIndex(m_tabs->currentIndex());
    showTitle(document);
    showCloseButton();
}

void DocumentGroup::take(QWidget* document)
{
    const int tab = indexOf(document);
    if (tab < 0)
        return;
    document->removeEventFilter(this);
    m_tabs->setTabButton(m_tabs->currentIndex(), QTabBar::RightSide, nullptr);
    m_close->hide();
    m_stack->removeWidget(document);
    document->hide();
    document->setParent(parentWidget());
    {
        const QSignalBlocker quiet(m_tabs);
        m_tabs->removeTab(tab);
    }
    m_stack->setCurrentIndex(m_tabs->currentIndex());
    showCloseButton();
    if (QWidget* left = current())
        Q_EMIT currentChanged(left);
}

void DocumentGroup::show(QWidget* document)
{
    const int tab = indexOf(document);
    if (tab >= 0)
        m_tabs->setCurrentIndex(tab);
}

QWidget* DocumentGroup::current() const
{
    return m_stack->currentWidget();
}

QWidget* DocumentGroup::at(int tab) const
{
    return m_stack->widget(tab);
}

int DocumentGroup::count() const
{
    return m_stack->count();
}

int DocumentGroup::indexOf(const QWidget* document) const
{
    for (int i = 0; i < m_stack->count(); ++i)
        if (m_stack->widget(i) == document)
            return i;
    return -1;
}

void DocumentGroup::setSplitAction(QAction* action)
{
    m_split->setDefaultAction(action);
    m_split->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_split->show();
}

bool DocumentGroup::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::WindowTitleChange || event->type() == QEvent::ModifiedChange)
        if (auto* document = qobject_cast<QWidget*>(watched))
            showTitle(document);
    return QWidget::eventFilter(watched, event);
}

void DocumentGroup::showTitle(QWidget* document)
{
    const int tab = indexOf(document);
    if (tab < 0)
        return;
    m_tabs->setTabText(tab, tabTitle(*document));
    m_tabs->setTabToolTip(tab, document->toolTip());
}

// Only the tab in front has one: a row of them would be louder than the names.
void DocumentGroup::showCloseButton()
{
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_tabs->tabButton(i, QTabBar::RightSide) == m_close)
            m_tabs->setTabButton(i, QTabBar::RightSide, nullptr);
    m_close->hide();
    const QWidget* front = current();
    if (front == nullptr || !front->property(kClosable).toBool() || m_tabs->currentIndex() < 0)
        return;
    const QString name = tr("Close %1").arg(m_tabs->tabText(m_tabs->currentIndex()));
    m_close->setAccessibleName(name);
    m_close->setToolTip(tr("Close (Ctrl+W)"));
    m_tabs->setTabButton(m_tabs->currentIndex(), QTabBar::RightSide, m_close);
    m_close->show();
}

void DocumentGroup::takeOrder(int from, int to)
{
    QWidget* document = m_stack->widget(from);
    const QSignalBlocker quiet(m_stack);
    m_stack->removeWidget(document);
    m_stack->insertWidget(to, document);
    m_stack->setCurrentIndex(m_tabs->currentIndex());
    Q_EMIT moved();
}

} // namespace sg::ui
