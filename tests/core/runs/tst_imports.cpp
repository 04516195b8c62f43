// Which packages the code of a graph imports, told from its lines.

#include "core/graph/graph_file.h"
#include "core/runs/code_check.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

class TestImports : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsImports_data()
    {
        QTest::addColumn<std::string>("code");
        QTest::addColumn<std::string>("found");
        const auto row = [](const char* name, const char* code, const char* found) {
            QTest::newRow(name) << std::string(code) << std::string(found);
        };
        row("none", "def node(state):\n    return {}\n", "");
        row("plain", "import pandas\n", "pandas ");
        row("renamed", "import pandas as pd\n", "pandas ");
        row("several", "import os, pandas as pd,numpy\n", "numpy pandas ");
        row("of a part", "from pandas.api import types\n", "pandas ");
        row("in a function", "def node(state):\n    import pandas\n", "pandas ");
        row("another name", "import pandasql\nfrom .pandas import x\n", "");
        row("in a comment", "# import pandas\nx = 1 # import numpy\n", "");
        row("cut off", "import", "");
        row("open list", "import pandas,", "pandas ");
    }
    void findsImports()
    {
        QFETCH(std::string, code);
        QFETCH(std::string, found);
        const test::TempDir folder;
        folder.write("nodes/a.py", code);
        const auto graph = graph::parseGraph(
            R"({"nodes": [{"name": "a", "kind": "python", "file": "nodes/a.py"}], "edges": []})");
        QVERIFY(graph);
        projects::ProjectPaths paths;
        paths.folder = folder.path();
        std::string told;
        for (const std::string& module : runs::importsOf(graph->graph, paths, { "numpy", "pandas" }))
            told += module + " ";
        QCOMPARE(told, found);
        // A module that nodes share counts as well.
        folder.write("nodes/a.py", "from shared import x\n");
        folder.write("lib/shared.py", "import numpy\n");
        QCOMPARE(runs::importsOf(graph->graph, paths, { "numpy", "pandas" }),
                 std::vector<std::string>{ "numpy" });
    }
};

SG_TEST(TestImports)
#include "tst_imports.moc"
