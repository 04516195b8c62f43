#pragma once

class QApplication;

namespace sg::ui {

// Settings that the user made for all programs of the desktop. GUI thread only.
struct DesktopWishes {
    bool lessMotion = false; // nothing turns or slides
    bool moreContrast = false; // texts and edges stand out from the ground
    friend bool operator==(const DesktopWishes&, const DesktopWishes&) = default;
};

const DesktopWishes& desktopWishes();
void setDesktopWishes(QApplication& application, const DesktopWishes& wishes); // shows the theme anew

} // namespace sg::ui
