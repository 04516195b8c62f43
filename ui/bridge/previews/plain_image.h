#pragma once

#include <QByteArray>
#include <QByteArrayList>

namespace sg::ui {

// Formats whose readers only decode. QImageReader chooses by content, whatever the file's name is; an SVG
// must not be read this way, because it could refer to other files.
inline bool isPlainFormat(const QByteArray& format)
{
    static const QByteArrayList known{ "png", "jpeg", "jpg", "gif", "webp", "bmp" };
    return known.contains(format);
}

} // namespace sg::ui
