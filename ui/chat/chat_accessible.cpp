#include "ui/chat/chat_accessible.h"

#include "ui/chat/chat_view.h"

#include <QAccessible>
#include <QAccessibleActionInterface>
#include <QAccessibleWidget>
#include <QPointer>

#include <vector>

namespace sg::ui {
namespace {

// One message or call. It knows its number alone: what stands there can change.
class ItemAccessible final : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    ItemAccessible(ChatView* view, int index)
        : m_view(view)
        , m_index(index)
    {
    }

    [[nodiscard]] bool isValid() const override
    {
        return m_view != nullptr && m_index < static_cast<int>(m_view->items().size());
    }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessible::Role role() const override
    {
        return isValid() && item().call >= 0 ? QAccessible::Button : QAccessible::ListItem;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (!isValid() || kind != QAccessible::Name)
            return {};
        return m_view->nameOf(item());
    }
    void setText(QAccessible::Text, const QString&) override { }
    [[nodiscard]] QRect rect() const override
    {
        const QRect rect = isValid() ? m_view->rectOf(item()) : QRect();
        return rect.isEmpty() ? rect : rect.translated(m_view->viewport()->mapToGlobal(QPoint()));
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid())
            return state;
        state.focusable = true;
        state.selectable = true;
        state.expandable = item().call >= 0;
        state.expanded = m_view->isOpen(item());
        state.collapsed = state.expandable && !state.expanded;
        state.focused = m_view->hasFocus() && m_view->current() == item();
        state.offscreen = m_view->rectOf(item()).isEmpty();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    [[nodiscard]] QStringList actionNames() const override { return { pressAction() }; }
    void doAction(const QString& name) override
    {
        if (!isValid() || name != pressAction())
            return;
        const ChatItem pressed = item();
        if (pressed.call >= 0 && !m_view->isOpen(pressed))
            m_view->goTo(pressed);
        else
            m_view->toggle(pressed);
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    [[nodiscard]] ChatItem item() const { return m_view->items()[static_cast<std::size_t>(m_index)]; }

    QPointer<ChatView> m_view;
    const int m_index;
};

class ListAccessible final : public QAccessibleWidget {
public:
    explicit ListAccessible(ChatView* view)
        : QAccessibleWidget(view, QAccessible::List)
        , m_view(view)
    {
    }
    ~ListAccessible() override
    {
        for (const QAccessible::Id id : m_items)
            if (id != 0)
                QAccessible::deleteAccessibleInterface(id);
    }

    [[nodiscard]] int childCount() const override { return static_cast<int>(m_view->items().size()); }
    [[nodiscard]] QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto at = static_cast<std::size_t>(index);
        if (m_items.size() <= at)
            m_items.resize(at + 1, 0);
        if (m_items[at] == 0)
            m_items[at] = QAccessible::registerAccessibleInterface(new ItemAccessible(m_view, index));
        return QAccessible::accessibleInterface(m_items[at]);
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* wanted) const override
    {
        for (std::size_t i = 0; i < m_items.size(); ++i)
            if (m_items[i] != 0 && QAccessible::accessibleInterface(m_items[i]) == wanted)
                return static_cast<int>(i);
        return -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override
    {
        for (int i = childCount(); i-- > 0;)
            if (auto* item = child(i); item->rect().contains(x, y))
                return item;
        return nullptr;
    }

private:
    ChatView* m_view;
    mutable std::vector<QAccessible::Id> m_items; // registered ones; 0: not yet
};

QAccessibleInterface* make(const QString&, QObject* object)
{
    auto* view = qobject_cast<ChatView*>(object);
    return view == nullptr ? nullptr : new ListAccessible(view);
}

} // namespace

void ChatAccessible::install()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    Q_UNUSED(isInstalled)
}

} // namespace sg::ui
