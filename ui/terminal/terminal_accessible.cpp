#include "ui/terminal/terminal_accessible.h"

#include "ui/terminal/terminal_view.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>

namespace sg::ui {
namespace {

// Offers the visible rows as a read-only text.
class TerminalAccessible final : public QAccessibleWidget, public QAccessibleTextInterface {
public:
    explicit TerminalAccessible(TerminalView* view)
        : QAccessibleWidget(view, QAccessible::Terminal)
        , m_view(*view)
    {
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TextInterface ? static_cast<QAccessibleTextInterface*>(this)
                                                  : QAccessibleWidget::interface_cast(type);
    }
    void selection(int, int* start, int* end) const override { *start = *end = 0; }
    [[nodiscard]] int selectionCount() const override { return 0; }
    void addSelection(int, int) override { }
    void removeSelection(int) override { }
    void setSelection(int, int, int) override { }
    [[nodiscard]] int cursorPosition() const override
    {
        return static_cast<int>(m_view.seenText().trimmed().size());
    }
    void setCursorPosition(int) override { }
    [[nodiscard]] QString text(int start, int end) const override
    {
        return m_view.seenText().mid(start, std::max(0, end - start));
    }
    [[nodiscard]] int characterCount() const override { return static_cast<int>(m_view.seenText().size()); }
    [[nodiscard]] QRect characterRect(int) const override { return {}; }
    [[nodiscard]] int offsetAtPoint(const QPoint&) const override { return -1; }
    void scrollToSubstring(int, int) override { }
    QString attributes(int, int* start, int* end) const override
    {
        *start = 0;
        *end = characterCount();
        return {};
    }

private:
    TerminalView& m_view;
};

QAccessibleInterface* make(const QString&, QObject* object)
{
    auto* view = qobject_cast<TerminalView*>(object);
    return view == nullptr ? nullptr : new TerminalAccessible(view);
}

} // namespace

void installTerminalAccessibility()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    static_cast<void>(isInstalled);
}

} // namespace sg::ui
