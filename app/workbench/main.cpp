#include "core/base/core_dumps.h"
#include "core/workbench/secret_variables.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QSettings>
#include <QSocketNotifier>
#include <QTimer>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

int quitPipe[2] = { -1, -1 };

void onSignal(int)
{
    const char byte = 'q';
    [[maybe_unused]] const ssize_t written = ::write(quitPipe[1], &byte, 1);
}

// SIGTERM and SIGINT close the window as the user would: runs stop, sessions end, the layout is kept.
void quitOnSignal(QApplication& application)
{
    if (::pipe2(quitPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    auto* notifier = new QSocketNotifier(quitPipe[0], QSocketNotifier::Read, &application);
    QObject::connect(notifier, &QSocketNotifier::activated, &application, [](QSocketDescriptor pipe) {
        char byte = 0; // left in the pipe it would close the question about unsaved edits again and again
        [[maybe_unused]] const ssize_t taken = ::read(int(pipe), &byte, 1);
        QApplication::closeAllWindows();
    });
    std::signal(SIGTERM, onSignal);
    std::signal(SIGINT, onSignal);
}

struct Options {
    const QCommandLineOption theme{ QStringLiteral("theme"), QStringLiteral("light, dark or system"),
                                    QStringLiteral("name") };
    const QCommandLineOption sample{ QStringLiteral("sample"), QStringLiteral("open the penguins sample") };
    const QCommandLineOption startup{ QStringLiteral("print-startup"),
                                      QStringLiteral("print how long it took until the window took input") };
    QCommandLineParser parser;

    Options()
    {
        parser.setApplicationDescription(
            QStringLiteral("Runs agent workflows in sandboxes and goes back to any step."));
        parser.addHelpOption();
        parser.addVersionOption();
        parser.addPositionalArgument(
            QStringLiteral("PROJECT"),
            QStringLiteral("project folder, graph file, or a checkpoint database from anywhere"));
        parser.addOptions({ theme, sample, startup });
    }
};

// Qt aborts where it finds no display; that is no crash, and the user shall read what to do.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    std::fprintf(stderr, "%s\n", message.toLocal8Bit().constData());
    if (type != QtFatalMsg)
        return;
    std::fputs("error: the window cannot be shown: there is no display that answers. Set DISPLAY or "
               "WAYLAND_DISPLAY, or work on the command line: sandglass --help\n",
               stderr);
    std::_Exit(1);
}

bool asksForText(int argc, char** argv)
{
    return std::any_of(argv + 1, argv + argc, [](const std::string_view word) {
        return word == "-h" || word == "--help" || word == "--help-all" || word == "-v"
            || word == "--version";
    });
}

} // namespace

int main(int argc, char** argv)
{
    sg::refuseCoreDumps();
    sg::workbench::takeSecretVariables(); // so that neither dot nor what opens a file for the user has them
    std::signal(SIGPIPE, SIG_IGN);
    QElapsedTimer sinceStart;
    sinceStart.start();
    if (asksForText(argc, argv)) { // needs no display
        const QCoreApplication text(argc, argv);
        QCoreApplication::setApplicationName(QStringLiteral("sandglass-workbench"));
        QCoreApplication::setApplicationVersion(QStringLiteral(SG_VERSION));
        Options().parser.process(text);
        return 0;
    }
    const QtMessageHandler usual = qInstallMessageHandler(endWithoutDisplay);
    QApplication application(argc, argv);
    qInstallMessageHandler(usual);
    QApplication::setOrganizationName(QStringLiteral("sandglass"));
    QApplication::setApplicationName(QStringLiteral("sandglass-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Sandglass"));
    QApplication::setApplicationVersion(QStringLiteral(SG_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.sandglass.Workbench"));

    Options options;
    QCommandLineParser& parser = options.parser;
    parser.process(application);

    QApplication::setStyle(new sg::ui::Style);
    const QString chosen = parser.isSet(options.theme)
        ? parser.value(options.theme)
        : QSettings().value(QStringLiteral("window/theme"), QStringLiteral("system")).toString();
    sg::ui::applyTheme(application, sg::ui::MainWindow::themeFromName(chosen));
    quitOnSignal(application);

    sg::ui::MainWindow window;
    if (parser.isSet(options.startup))
        QObject::connect(&window, &sg::ui::MainWindow::ready, &window, [&sinceStart] {
            QTimer::singleShot(0, [&sinceStart] {
                std::printf("usable after %lld ms\n", static_cast<long long>(sinceStart.elapsed()));
                std::fflush(stdout);
            });
        });
    window.show();
    if (parser.isSet(options.sample))
        window.openSample();
    else if (!parser.positionalArguments().isEmpty())
        window.openProject(parser.positionalArguments().constFirst());
    else
        QTimer::singleShot(0, &window, &sg::ui::MainWindow::ready);
    return QApplication::exec();
}
