#pragma once

#include <QByteArray>
#include <QByteArrayList>

namespace sg::ui {

// Formats whose readers only decode. QImageReader chooses by content, whatever the file is called: a drawing
// must not come in by this way, where it could name other files.
inline bool isPlainFormat(const QByteArray& format)
{
    static const QByteArrayList known{ "png", "jpeg", "jpg", "gif", "webp", "bmp" };
    return known.contains(format);
}

} // namespace sg::ui
