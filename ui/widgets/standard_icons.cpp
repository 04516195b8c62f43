#include "ui/widgets/standard_icons.h"

namespace sg::ui {

QLatin1String standardIconName(QStyle::StandardPixmap pixmap)
{
    switch (pixmap) {
    case QStyle::SP_DockWidgetCloseButton:
    case QStyle::SP_TitleBarCloseButton:
    case QStyle::SP_LineEditClearButton:
    case QStyle::SP_TabCloseButton:
    case QStyle::SP_DialogCloseButton: return QLatin1String("close");
    case QStyle::SP_TitleBarNormalButton:
    case QStyle::SP_TitleBarMaxButton: return QLatin1String("float");
    case QStyle::SP_ToolBarHorizontalExtensionButton:
    case QStyle::SP_ToolBarVerticalExtensionButton: return QLatin1String("more");
    case QStyle::SP_MessageBoxWarning: return QLatin1String("warn");
    case QStyle::SP_MessageBoxCritical: return QLatin1String("error");
    case QStyle::SP_MessageBoxInformation:
    case QStyle::SP_MessageBoxQuestion: return QLatin1String("info");
    case QStyle::SP_DirIcon:
    case QStyle::SP_DirOpenIcon:
    case QStyle::SP_DirClosedIcon: return QLatin1String("folder");
    case QStyle::SP_FileIcon: return QLatin1String("file");
    default: return {};
    }
}

Token standardIconInk(QStyle::StandardPixmap pixmap)
{
    if (pixmap == QStyle::SP_MessageBoxWarning)
        return &Tokens::warn;
    if (pixmap == QStyle::SP_MessageBoxCritical)
        return &Tokens::failed;
    return &Tokens::muted;
}

} // namespace sg::ui
