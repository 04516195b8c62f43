#pragma once

#include "tests/support/test_main.h"

// For tests that show windows: SG_WINDOW_TEST(Class) instead of SG_TEST, and failOnQtWarnings() in init().
// Qt gets a private runtime folder of mode 0700 (it warns without one) and a settings folder of its own.

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

namespace sg::test {

class WindowEnvironment {
public:
    WindowEnvironment()
    {
        QFile::setPermissions(m_folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder.path()));
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_folder.filePath(QStringLiteral("config"))));
        // The offscreen platform itself warns once per window, and this switch knows no exceptions.
        qunsetenv("QT_FATAL_WARNINGS");
        if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
    }

private:
    QTemporaryDir m_folder;
};

// Makes Qt's warnings fail the running test function. Must be called from init(), as Qt forgets it after each
// function.
inline void failOnQtWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(
        "^(?!This plugin does not support (propagateSizeHints|raise|grabbing the keyboard))")));
}

// Writes the picture if SG_PICTURES names a folder, so that people can look at what a test drew.
inline void keepPicture(const QImage& picture, const QString& name)
{
    const QString folder = qEnvironmentVariable("SG_PICTURES");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    picture.save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

inline QImage pictureOf(QWidget& widget, const QString& name)
{
    const QImage picture = widget.grab().toImage();
    keepPicture(picture, name);
    return picture;
}

// The number of colours in a picture, up to `enough`: a view that drew nothing has one.
inline int colourCount(const QImage& picture, int enough = 64)
{
    QSet<QRgb> seen;
    for (int y = 0; y < picture.height() && seen.size() < enough; y += 2)
        for (int x = 0; x < picture.width() && seen.size() < enough; x += 2)
            seen.insert(picture.pixel(x, y));
    return static_cast<int>(seen.size());
}

} // namespace sg::test

#define SG_WINDOW_TEST(Class)                                                                                \
    SG_REGISTERED_TEST(Class, const sg::test::WindowEnvironment environment;                                 \
                       const QApplication application(argc, argv);)
