#include "app/workbench/options.h"
#include "core/base/core_dumps.h"
#include "core/config/secrets.h"
#include "ui/shell/desktop_settings.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFontDatabase>
#include <QSettings>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <QTimer>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace {

constexpr QSize kPictureSize(1600, 1000);
constexpr int kStopped = 130; // as the command line's exit code

int quitPipe[2] = { -1, -1 };

void onSignal(int)
{
    const char byte = 'q';
    [[maybe_unused]] const ssize_t written = ::write(quitPipe[1], &byte, 1);
}

// SIGTERM, SIGINT and SIGHUP close the window as the user would: runs stop, sessions end, the layout is kept.
// In batch mode nobody could answer the question about unsaved edits, so the program just ends.
void quitOnSignal(QApplication& application, bool isBatch)
{
    if (::pipe2(quitPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    auto* notifier = new QSocketNotifier(quitPipe[0], QSocketNotifier::Read, &application);
    QObject::connect(notifier, &QSocketNotifier::activated, &application, [isBatch](QSocketDescriptor pipe) {
        char byte = 0; // unread, it would trigger this again and again
        [[maybe_unused]] const ssize_t taken = ::read(int(pipe), &byte, 1);
        if (isBatch)
            QApplication::exit(kStopped);
        else
            QApplication::closeAllWindows();
    });
    std::signal(SIGTERM, onSignal);
    std::signal(SIGINT, onSignal);
    if (std::signal(SIGHUP, onSignal) == SIG_IGN)
        std::signal(SIGHUP, SIG_IGN); // nohup: it outlives its terminal
}

// Qt aborts where it finds no display; that is no crash, and the user should read what to do.
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

// Qt repeats what its offscreen platform cannot do; the error output of a script should hold only its own
// messages.
void tellErrorsAlone(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::fprintf(stderr, "%s\n", message.toLocal8Bit().constData());
}

bool asksForText(int argc, char** argv)
{
    return std::any_of(argv + 1, argv + argc, [](const std::string_view word) {
        return word == "-h" || word == "--help" || word == "--help-all" || word == "-v"
            || word == "--version";
    });
}

bool isSet(const char* variable)
{
    return !qEnvironmentVariableIsEmpty(variable);
}

// Making a file needs no display, and shows nothing where there is one. True: no person watches.
bool goesOffscreen(int argc, char** argv)
{
    const bool makesFile = asksForFile(argc, argv);
    const QString platform = qEnvironmentVariable("QT_QPA_PLATFORM");
    const bool isUnseen =
        platform.startsWith(QLatin1String("offscreen")) || platform.startsWith(QLatin1String("minimal"));
    if (isUnseen || (!platform.isEmpty() && !makesFile))
        return makesFile || platform.startsWith(QLatin1String("offscreen"));
    const bool hasDisplay = isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
    const bool playsAlone = !hasDisplay && std::any_of(argv + 1, argv + argc, [](std::string_view word) {
        return word.starts_with("--macro");
    });
    if (!makesFile && !playsAlone)
        return false;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return true;
}

int refuse(const QString& problem)
{
    std::fprintf(stderr, "error: %s\n", problem.toLocal8Bit().constData());
    return sg::ui::BatchJob::Usage;
}

// Does the order; in batch mode the program ends with it.
void doOrder(sg::ui::MainWindow& window, const sg::ui::BatchOrder& order, bool isBatch)
{
    auto* job = new sg::ui::BatchJob(window, order, &window);
    QObject::connect(job, &sg::ui::BatchJob::done, qApp, [isBatch](int code, const QString& problem) {
        if (!problem.isEmpty())
            std::fprintf(stderr, "error: %s\n", problem.toLocal8Bit().constData());
        if (isBatch)
            QApplication::exit(code);
    });
}

void printStartup(sg::ui::MainWindow& window, const QElapsedTimer& sinceStart)
{
    QObject::connect(&window, &sg::ui::MainWindow::ready, &window, [&sinceStart] {
        QTimer::singleShot(0, [&sinceStart] {
            std::printf("usable after %lld ms\n", static_cast<long long>(sinceStart.elapsed()));
            std::fflush(stdout);
        });
    });
}

void openWanted(sg::ui::MainWindow& window, const Options& options, bool isBatch)
{
    if (options.parser.isSet(options.sample))
        window.openSample();
    else if (!options.parser.positionalArguments().isEmpty())
        window.openProject(options.parser.positionalArguments().constFirst(),
                           options.parser.value(options.database));
    else if (isBatch || options.parser.isSet(options.fresh))
        QTimer::singleShot(0, &window, &sg::ui::MainWindow::ready);
    else
        window.reopenLast();
}

void nameProgram()
{
    QApplication::setOrganizationName(QStringLiteral("sandglass"));
    QApplication::setApplicationName(QStringLiteral("sandglass-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Sandglass"));
    QApplication::setApplicationVersion(QStringLiteral(SG_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.sandglass.Workbench"));
}

int work(QApplication& application, const Options& options, bool isBatch, const QElapsedTimer& sinceStart)
{
    const QString theme = options.parser.isSet(options.theme) ? options.parser.value(options.theme)
        : isBatch                                             ? QStringLiteral("light")
                  : QSettings().value(QStringLiteral("window/theme"), QStringLiteral("system")).toString();
    sg::ui::applyTheme(application, sg::ui::MainWindow::themeFromName(theme));
    if (!isBatch)
        new sg::ui::DesktopSettings(&application);
    quitOnSignal(application, isBatch);
    sg::ui::MainWindow window;
    if (options.parser.isSet(options.startup))
        printStartup(window, sinceStart);
    const QSize size = options.wantedSize();
    if (size.isValid() || isBatch)
        window.resize(size.isValid() ? size : kPictureSize);
    if (options.order() != sg::ui::BatchOrder())
        doOrder(window, options.order(), isBatch);
    window.show();
    openWanted(window, options, isBatch);
    return QApplication::exec();
}

// A desktop names its font; without one there is only what fontconfig takes for the first.
void useOwnFont()
{
    if (!qEnvironmentVariableIsEmpty("XDG_CURRENT_DESKTOP")
        || !QFontDatabase::hasFamily(QStringLiteral("Inter")))
        return;
    QFont font = QApplication::font();
    font.setFamily(QStringLiteral("Inter"));
    QApplication::setFont(font);
}

} // namespace

int main(int argc, char** argv)
{
    sg::refuseCoreDumps();
    sg::config::takeSecretVariables(); // so that programs we start (dot, openers of files) do not get them
    std::signal(SIGPIPE, SIG_IGN);
    QElapsedTimer sinceStart;
    sinceStart.start();
    Options options;
    if (asksForText(argc, argv)) { // needs no display
        const QCoreApplication text(argc, argv);
        QCoreApplication::setApplicationName(QStringLiteral("sandglass-workbench"));
        QCoreApplication::setApplicationVersion(QStringLiteral(SG_VERSION));
        options.parser.process(text);
        return 0;
    }
    const bool isUnseen = goesOffscreen(argc, argv);
    const QtMessageHandler usual = qInstallMessageHandler(isUnseen ? tellErrorsAlone : endWithoutDisplay);
    QApplication application(argc, argv);
    if (!isUnseen)
        qInstallMessageHandler(usual);
    nameProgram();
    if (!options.parser.parse(QApplication::arguments()))
        return refuse(options.parser.errorText());
    if (const QString fault = options.fault(); !fault.isEmpty())
        return refuse(fault);
    const sg::ui::BatchOrder order = options.order();
    const bool isBatch =
        order.makesFile() || (!order.macro.isEmpty() && (isUnseen || options.parser.isSet(options.leave)));
    // A batch job does the same for every user: the user's settings have no effect on it, and are not
    // changed.
    std::optional<QTemporaryDir> settings;
    if (isBatch) {
        settings.emplace();
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings->path());
        QApplication::setCursorFlashTime(0);
    }
    QApplication::setStyle(new sg::ui::Style);
    useOwnFont();
    return work(application, options, isBatch, sinceStart);
}
