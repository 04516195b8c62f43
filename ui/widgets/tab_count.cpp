#include "ui/widgets/tab_count.h"

#include <QRegularExpression>
#include <QVariant>

namespace sg::ui {
namespace {

constexpr const char* kKinds = "sgTabKinds"; // property of a window: title → kind

QRegularExpressionMatch matchOf(const QString& text)
{
    static const QRegularExpression counted(QStringLiteral("^(.*) \\((\\d+\\+?)\\)$"));
    return counted.match(text);
}

} // namespace

QString tabText(QWidget& window, const QString& title, int count, Badge::Kind kind)
{
    QVariantMap kinds = window.property(kKinds).toMap();
    kinds.insert(title, static_cast<int>(kind));
    window.setProperty(kKinds, kinds);
    return count > 0 ? QStringLiteral("%1 (%2)").arg(title, badgeText(count)) : title;
}

std::optional<TabCount> tabCountOf(const QWidget* tabBar, const QString& text)
{
    const QRegularExpressionMatch match = matchOf(text);
    if (tabBar == nullptr || !match.hasMatch())
        return std::nullopt;
    const QVariantMap kinds = tabBar->window()->property(kKinds).toMap();
    const auto kind = kinds.constFind(match.captured(1));
    if (kind == kinds.constEnd())
        return std::nullopt;
    return TabCount{ match.captured(1), match.captured(2), static_cast<Badge::Kind>(kind->toInt()) };
}

QString withoutCount(const QString& text)
{
    const QRegularExpressionMatch match = matchOf(text);
    return match.hasMatch() ? match.captured(1) : text;
}

} // namespace sg::ui
