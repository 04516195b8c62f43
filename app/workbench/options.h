#pragma once

#include "ui/shell/batch_job.h"

#include <QCommandLineParser>
#include <QSize>

// The command line of the window.
struct Options {
    Options();

    const QCommandLineOption theme{ QStringLiteral("theme"), QStringLiteral("light, dark or system"),
                                    QStringLiteral("name") };
    const QCommandLineOption sample{ QStringLiteral("sample"),
                                     QStringLiteral("open the sample, which needs no model") };
    const QCommandLineOption fresh{ { QStringLiteral("new"), QStringLiteral("empty") },
                                    QStringLiteral("begin on the start page, not with what was open last") };
    const QCommandLineOption startup{ QStringLiteral("print-startup"),
                                      QStringLiteral("print how long it took until the window took input") };
    const QCommandLineOption macro{ QStringLiteral("macro"), QStringLiteral("do the steps of a macro file"),
                                    QStringLiteral("FILE") };
    const QCommandLineOption leave{
        QStringLiteral("exit"), QStringLiteral("end when the macro is done; also where there is no display")
    };
    const QCommandLineOption screenshot{ QStringLiteral("screenshot"),
                                         QStringLiteral("save a picture of the window, then end"),
                                         QStringLiteral("FILE.png") };
    const QCommandLineOption exported{ QStringLiteral("export"),
                                       QStringLiteral("save the graph as .svg, .png, .dot or .mmd, then end"),
                                       QStringLiteral("FILE") };
    const QCommandLineOption database{
        QStringLiteral("db"),
        QStringLiteral(
            "checkpoint database in place of the project's: a file, or postgresql://HOST/DATABASE"),
        QStringLiteral("file|address")
    };
    const QCommandLineOption size{ QStringLiteral("size"),
                                   QStringLiteral("of the window, 1600x1000 where a picture is saved"),
                                   QStringLiteral("WxH") };
    const QCommandLineOption layout{ QStringLiteral("layout"),
                                     QStringLiteral("build, debug, session or review"),
                                     QStringLiteral("name") };
    const QCommandLineOption panel{ QStringLiteral("panel"),
                                    QStringLiteral("bring a panel to the front, such as Log"),
                                    QStringLiteral("title") };
    const QCommandLineOption thread{ QStringLiteral("thread"), QStringLiteral("show that thread"),
                                     QStringLiteral("name") };
    const QCommandLineOption checkpoint{ QStringLiteral("checkpoint"),
                                         QStringLiteral("show that step's number, or that checkpoint"),
                                         QStringLiteral("step|ID|head") };
    const QCommandLineOption node{ QStringLiteral("node"), QStringLiteral("select that node"),
                                   QStringLiteral("name") };
    QCommandLineParser parser;

    // Valid after parsing. What is wrong with the options; empty: nothing.
    [[nodiscard]] QString fault() const;
    [[nodiscard]] sg::ui::BatchOrder order() const;
    [[nodiscard]] QSize wantedSize() const; // invalid: no size is given
};

// Called before there is an application: a picture or an export needs no display.
bool asksForFile(int argc, char** argv);
