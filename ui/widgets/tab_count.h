#pragma once

#include "ui/widgets/badge.h"

#include <QString>

#include <optional>

class QWidget;

namespace sg::ui {

// A count on a tab: its text is "Inbox (2)", for screen readers and menus, and the style draws a pill for the
// number. The window knows which tabs have one.
struct TabCount {
    QString title; // "Inbox"
    QString count; // "2"
    Badge::Kind kind = Badge::Kind::Quiet;
};

// The text for a tab, with the count where there is one. Tabs anywhere in the window show it as a pill.
QString tabText(QWidget& window, const QString& title, int count, Badge::Kind kind);
std::optional<TabCount> tabCountOf(const QWidget* tabBar, const QString& text); // none: it is an ordinary tab
QString withoutCount(const QString& text); // "Inbox (2)" → "Inbox"

} // namespace sg::ui
