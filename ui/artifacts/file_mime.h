#pragma once

#include <QStringList>

class QMimeData;

namespace sg::ui {

// Files as other programs take them from a drag or the clipboard: URLs, and what file managers of GNOME want
// besides so that pasting copies. The caller owns the result.
QMimeData* mimeOfFiles(const QStringList& files);

} // namespace sg::ui
