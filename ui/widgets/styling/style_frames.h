#pragma once

#include <QFont>
#include <QStyle>

class QPainter;
class QStyleOption;
class QStyleOptionDockWidget;
class QStyleOptionHeader;
class QStyleOptionMenuItem;
class QStyleOptionTab;
class QWidget;

// Painters of Style for containers: tabs, dock titles, bars, table headers, menus.
namespace sg::ui::paint {

void tabShape(QPainter& painter, const QStyleOptionTab& option);
void tabLabel(QPainter& painter, const QStyleOptionTab& option, const QWidget* widget, const QStyle& style);
int tabTextExtra(const QWidget& tabBar,
                 const QString& text); // more than its plain text: bold, and with its count
void dockTitle(QPainter& painter, const QStyleOptionDockWidget& option, const QWidget* widget,
               const QStyle& style);
void headerSection(QPainter& painter, const QStyleOption& option);
void headerLabel(QPainter& painter, const QStyleOptionHeader& option);
void branchIndicator(QPainter& painter, const QStyleOption& option);
void menuBarItem(QPainter& painter, const QStyleOptionMenuItem& option);
void barBackground(QPainter& painter, const QRect& rect, Qt::Edge lineAt, QRgb line);
void separatorLine(QPainter& painter, const QRect& rect, bool horizontal);

} // namespace sg::ui::paint
