#include "ui/commands/quick_popup.h"

#include "ui/commands/command_list.h"
#include "ui/commands/quick_delegate.h"
#include "ui/commands/quick_model.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kPopupWidth = 560;
constexpr int kMostRows = 10;
constexpr int kFromTop = 76; // below menus and tool bar

bool isModifier(int key)
{
    return key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt || key == Qt::Key_Meta
        || key == Qt::Key_AltGr;
}

} // namespace

QuickPopup::QuickPopup(CommandList& commands, Source places, QWidget& window)
    : Overlay(&window)
    , m_commands(commands)
    , m_places(std::move(places))
    , m_window(window)
    , m_search(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_list(new QListView(this))
    , m_none(new QLabel(m_list->viewport()))
    , m_hint(new QLabel(this))
    , m_model(new QuickModel(this))
{
    setObjectName(QStringLiteral("quickPopup"));
    m_search->setObjectName(QStringLiteral("quickSearch"));
    m_search->setFrame(false);
    m_search->addAction(icon(QLatin1String("search"), &Tokens::muted), QLineEdit::LeadingPosition);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new QuickDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->viewport()->setAttribute(Qt::WA_Hover);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_none->setObjectName(QStringLiteral("quickNone"));
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_none->hide();
    auto* inList = new QVBoxLayout(m_list->viewport());
    inList->setContentsMargins(0, 0, 0, 0);
    inList->addWidget(m_none);
    for (QLabel* label : { m_count, m_hint, m_none }) {
        label->setFont(uiFont(TextSize::Small));
        label->setContentsMargins(12, 0, 12, 0);
    }

    auto* head = new QHBoxLayout;
    head->setContentsMargins(4, 4, 0, 4);
    head->addWidget(m_search, 1);
    head->addWidget(m_count);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_list, 1);
    column->addWidget(m_hint);
    m_hint->setFixedHeight(scaledLength(26));

    connect(m_search, &QLineEdit::textChanged, this, &QuickPopup::filter);
    connect(m_list, &QListView::clicked, this, [this] { choose(); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &QuickPopup::showHint);
}

void QuickPopup::showCommands()
{
    open(Showing::Commands);
}

void QuickPopup::showPlaces()
{
    open(Showing::Places);
}

void QuickPopup::open(Showing what)
{
    m_showing = what;
    const bool commands = what == Showing::Commands;
    const QString name = commands ? tr("Commands") : tr("Go to");
    setAccessibleName(name);
    m_search->setAccessibleName(name);
    m_list->setAccessibleName(commands ? tr("Matching commands") : tr("Matching places"));
    m_search->setPlaceholderText(commands ? tr("Find a command")
                                          : tr("Go to node, thread, checkpoint, artifact, panel"));
    endShortcut();
    m_model->setItems(commands ? m_commands.items() : m_places());
    m_search->clear();
    filter({});
    place();
    layOver(m_window.mapToGlobal(pos()));
    m_search->setFocus(Qt::PopupFocusReason);
}

void QuickPopup::place()
{
    const int width = std::min(scaledLength(kPopupWidth), m_window.width() - 24);
    const int rows = std::clamp(m_model->rowCount(), 1, kMostRows);
    const int rowHeight = m_list->itemDelegate()->sizeHint({}, {}).height();
    const int height = m_search->sizeHint().height() + 8 + rows * rowHeight + m_hint->height() + 2;
    setGeometry((m_window.width() - width) / 2, scaledLength(kFromTop), width,
                std::min(height, m_window.height() - scaledLength(kFromTop) - 8));
}

void QuickPopup::filter(const QString& words)
{
    m_model->setWords(words);
    m_list->setCurrentIndex(m_model->index(0, 0));
    m_list->scrollToTop();
    showCount();
    place();
}

void QuickPopup::showCount()
{
    const int shown = m_model->rowCount();
    m_none->setText(m_showing == Showing::Commands ? tr("No command matches") : tr("Nothing matches"));
    m_none->setVisible(shown == 0);
    if (m_search->text().trimmed().isEmpty())
        m_count->clear();
    else if (m_showing == Showing::Commands)
        m_count->setText(tr("%1 of %2 commands").arg(shown).arg(m_model->total()));
    else
        m_count->setText(tr("%1 of %2").arg(shown).arg(m_model->total()));
}

QString QuickPopup::currentId() const
{
    return m_list->currentIndex().data(QuickModel::IdRole).toString();
}

void QuickPopup::choose()
{
    const QModelIndex current = m_list->currentIndex();
    if (!current.isValid() || !current.data(QuickModel::WhyNotRole).toString().isEmpty())
        return;
    const QString id = currentId();
    lift();
    if (m_showing == Showing::Commands)
        m_commands.trigger(id);
    else
        Q_EMIT placeChosen(id);
}

void QuickPopup::step(int by)
{
    const int rows = m_model->rowCount();
    if (rows == 0)
        return;
    const int row = std::clamp(m_list->currentIndex().row() + by, 0, rows - 1);
    m_list->setCurrentIndex(m_model->index(row, 0));
}

void QuickPopup::beginShortcut()
{
    m_rebinding = currentId();
    m_keys = {};
    m_hint->setText(
        tr("Press the new keys for “%1”. Backspace removes them, Delete brings back the first ones, "
           "Esc cancels.")
            .arg(m_list->currentIndex().data().toString()));
}

// Shows the command's id, too, because macros use it.
void QuickPopup::showHint()
{
    if (m_showing == Showing::Places)
        m_hint->setText(tr("Enter goes there    Ctrl+Shift+P finds commands"));
    else if (m_rebinding.isEmpty())
        m_hint->setText(tr("Enter runs it    F2 changes its shortcut    In macros: %1").arg(currentId()));
}

void QuickPopup::endShortcut()
{
    m_rebinding.clear();
    m_keys = {};
    showHint();
}

bool QuickPopup::takeKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (isModifier(key))
        return true;
    const QString id = m_rebinding;
    const bool plain = modifiers == Qt::NoModifier;
    if (plain && key == Qt::Key_Escape) {
        endShortcut();
        return true;
    }
    if (plain && key == Qt::Key_Backspace) {
        m_commands.setShortcut(id, {});
    } else if (plain && key == Qt::Key_Delete) {
        m_commands.resetShortcut(id);
    } else if (plain && !m_keys.isEmpty() && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        m_commands.setShortcut(id, m_keys);
    } else {
        const QKeySequence keys(QKeyCombination(modifiers & ~Qt::KeypadModifier, static_cast<Qt::Key>(key)));
        if (const QString owner = m_commands.ownerOf(keys, id); !owner.isEmpty()) {
            m_keys = keys;
            m_hint->setText(tr("%1 is “%2”. Enter takes it from there, Esc cancels.")
                                .arg(keys.toString(QKeySequence::NativeText), owner));
            return true;
        }
        m_commands.setShortcut(id, keys);
    }
    endShortcut();
    const int row = m_list->currentIndex().row();
    m_model->setItems(m_commands.items());
    m_list->setCurrentIndex(m_model->index(row, 0));
    return true;
}

bool QuickPopup::command(int key)
{
    switch (key) {
    case Qt::Key_Down: step(1); return true;
    case Qt::Key_Up: step(-1); return true;
    case Qt::Key_PageDown: step(kMostRows); return true;
    case Qt::Key_PageUp: step(-kMostRows); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(); return true;
    case Qt::Key_F2:
        if (m_showing == Showing::Commands && m_list->currentIndex().isValid())
            beginShortcut();
        return true;
    default: return false;
    }
}

bool QuickPopup::eventFilter(QObject* watched, QEvent* event)
{
    if (Overlay::eventFilter(watched, event))
        return true;
    if (watched == &m_window && event->type() == QEvent::Resize)
        place();
    if (watched != m_search)
        return false;
    if (event->type() == QEvent::ShortcutOverride && !m_rebinding.isEmpty()) {
        event->accept(); // the keys must not trigger shortcuts
        return true;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!m_rebinding.isEmpty())
            return takeKey(key->key(), key->modifiers());
        return command(key->key());
    }
    return false;
}

void QuickPopup::changeEvent(QEvent* event)
{
    Overlay::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

void QuickPopup::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::base));
    painter.setPen(color(&Tokens::strong));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.setPen(color(&Tokens::border));
    painter.drawLine(1, m_list->y() - 1, width() - 2, m_list->y() - 1);
    painter.fillRect(m_hint->geometry(), color(&Tokens::window));
}

} // namespace sg::ui
