#include "ui/commands/command_list.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>

#include <algorithm>
#include <functional>

namespace sg::ui {
namespace {

constexpr const char* kMadeWith = "sgMadeWith"; // property with an action's original shortcut
constexpr const char* kListedElsewhere = "sgListedElsewhere"; // property: see listElsewhere()
constexpr const char* kRecent = "commands/recent";
constexpr int kMostRecent = 8;

QString withoutMnemonic(const QString& text)
{
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&')) {
            if (++i == text.size())
                break;
        }
        plain += text[i];
    }
    return plain;
}

// "Open &sample" becomes "open-sample".
QString slug(const QString& text)
{
    QString out;
    for (const QChar letter : withoutMnemonic(text).toLower())
        if (letter.isLetterOrNumber())
            out += letter;
        else if (!out.isEmpty() && !out.endsWith(QLatin1Char('-')))
            out += QLatin1Char('-');
    while (out.endsWith(QLatin1Char('-')))
        out.chop(1);
    return out;
}

// Empty if the action is enabled. A tooltip that differs from the text tells the reason.
QString reasonOf(const QAction& action)
{
    const QString told = action.toolTip();
    return action.isEnabled()                                      ? QString()
        : told == withoutMnemonic(action.text()) || told.isEmpty() ? CommandList::tr("Not possible now")
                                                                   : told;
}

QString settingOf(const QString& id)
{
    return QStringLiteral("shortcuts/") + id;
}

} // namespace

CommandList::CommandList(QMenuBar& menus, QObject* parent)
    : QObject(parent)
    , m_menus(menus)
{
}

void CommandList::listElsewhere(QAction& action)
{
    action.setProperty(kListedElsewhere, true);
}

std::vector<CommandList::Entry> CommandList::entries() const
{
    std::vector<Entry> found;
    const std::function<void(QMenu&, const QString&)> walk = [&](QMenu& menu, const QString& place) {
        for (QAction* action : menu.actions())
            if (QMenu* inner = action->menu())
                walk(*inner, place + QStringLiteral(" ▸ ") + withoutMnemonic(inner->title()));
            else if (!action->isSeparator() && !action->text().isEmpty())
                found.push_back({ action, place });
    };
    for (QAction* action : m_menus.actions())
        if (QMenu* menu = action->menu())
            walk(*menu, withoutMnemonic(menu->title()));
    return found;
}

void CommandList::adopt()
{
    const QSettings settings;
    for (const Entry& entry : entries()) {
        QAction& action = *entry.action;
        if (action.objectName().isEmpty())
            action.setObjectName(slug(entry.place) + QLatin1Char('.') + slug(action.text()));
        if (action.property(kMadeWith).isValid())
            continue;
        action.setProperty(kMadeWith, QVariant::fromValue(action.shortcut()));
        connect(&action, &QAction::triggered, this, [this, &action] { Q_EMIT given(action.objectName()); });
        const QString setting = settingOf(action.objectName());
        if (settings.contains(setting))
            action.setShortcut(
                QKeySequence::fromString(settings.value(setting).toString(), QKeySequence::PortableText));
    }
}

void CommandList::refresh()
{
    const std::function<void(QMenu&)> ask = [&ask](QMenu& menu) {
        Q_EMIT menu.aboutToShow();
        for (QAction* action : menu.actions())
            if (QMenu* inner = action->menu())
                ask(*inner);
    };
    for (QAction* action : m_menus.actions())
        if (QMenu* menu = action->menu())
            ask(*menu);
    adopt();
}

std::vector<QuickItem> CommandList::items()
{
    refresh();
    std::vector<QuickItem> items;
    for (const Entry& entry : entries()) {
        const QAction& action = *entry.action;
        if (!action.isVisible() || action.property(kListedElsewhere).toBool())
            continue;
        QuickItem item;
        item.id = action.objectName();
        item.title = withoutMnemonic(action.text());
        item.place = entry.place;
        item.key = action.shortcut().toString(QKeySequence::NativeText);
        item.icon = action.icon();
        item.whyNot = reasonOf(action);
        items.push_back(std::move(item));
    }
    const QStringList recent = QSettings().value(QLatin1String(kRecent)).toStringList();
    const auto rank = [&](const QuickItem& item) {
        const qsizetype at = recent.indexOf(item.id);
        return at < 0 ? recent.size() : at;
    };
    std::ranges::stable_sort(items, {}, rank);
    return items;
}

QAction* CommandList::find(const QString& id) const
{
    const std::vector<Entry> all = entries();
    const auto found =
        std::ranges::find_if(all, [&](const Entry& entry) { return entry.action->objectName() == id; });
    return found == all.end() ? nullptr : found->action.data();
}

bool CommandList::knows(const QString& id)
{
    refresh();
    return find(id) != nullptr;
}

QString CommandList::whyNot(const QString& id) const
{
    const QAction* action = find(id);
    return action == nullptr ? tr("There is no such command") : reasonOf(*action);
}

bool CommandList::give(const QString& id)
{
    QAction* action = find(id);
    if (action == nullptr || !action->isEnabled())
        return false;
    action->trigger();
    return true;
}

bool CommandList::trigger(const QString& id)
{
    const QAction* action = find(id);
    if (action == nullptr || !action->isEnabled())
        return false;
    QSettings settings;
    QStringList recent = settings.value(QLatin1String(kRecent)).toStringList();
    recent.removeAll(id);
    recent.prepend(id);
    settings.setValue(QLatin1String(kRecent), recent.mid(0, kMostRecent));
    return give(id);
}

QString CommandList::ownerOf(const QKeySequence& keys, const QString& besidesId)
{
    if (!keys.isEmpty())
        for (const Entry& entry : entries())
            if (entry.action->objectName() != besidesId && entry.action->shortcuts().contains(keys))
                return withoutMnemonic(entry.action->text());
    return {};
}

void CommandList::keepShortcut(QAction& action, const QKeySequence& keys)
{
    action.setShortcut(keys);
    QSettings settings;
    if (action.property(kMadeWith).value<QKeySequence>() == keys)
        settings.remove(settingOf(action.objectName()));
    else
        settings.setValue(settingOf(action.objectName()), keys.toString(QKeySequence::PortableText));
}

void CommandList::setShortcut(const QString& id, const QKeySequence& keys)
{
    QAction* action = find(id);
    if (action == nullptr)
        return;
    if (!keys.isEmpty())
        for (const Entry& entry : entries())
            if (entry.action != action && entry.action->shortcuts().contains(keys))
                keepShortcut(*entry.action, {});
    keepShortcut(*action, keys);
}

void CommandList::resetShortcut(const QString& id)
{
    if (QAction* action = find(id))
        setShortcut(id, action->property(kMadeWith).value<QKeySequence>());
}

} // namespace sg::ui
