#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

#include <memory>

class QMimeData;
class QTemporaryDir;
class QWidget;

namespace sg::ui {

class GraphScene;

// The shown graph as a picture, as it looks on the canvas, with the states of the run: for the clipboard, and
// for drags into other programs.
class CanvasPicture {
public:
    explicit CanvasPicture(GraphScene& scene);
    ~CanvasPicture(); // removes the files of drags

    [[nodiscard]] QImage image() const; // twice its size; null: there is nothing to see
    [[nodiscard]] QByteArray svg() const;
    void copy();
    void drag(QWidget& from);
    // PNG and SVG; for a drag also the URL of a PNG file, because file managers take files alone.
    [[nodiscard]] std::unique_ptr<QMimeData> mime(bool withFile);

private:
    [[nodiscard]] QString fileOf(const QImage& image); // empty: it could not be written

    GraphScene& m_scene;
    std::unique_ptr<QTemporaryDir> m_folder; // mode 0700; made for the first drag
};

} // namespace sg::ui
