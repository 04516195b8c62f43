#include "core/sandbox/bubblewrap/process_tree.h"
#include "tests/support/ending_process.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox;

class TestProcessTree final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneMayEndWhileItIsMeasured();
};

void TestProcessTree::oneMayEndWhileItIsMeasured()
{
    int seen = 0;
    test::lookWhileTheyEnd([&](pid_t process) { seen += treeUsage(process).threads > 0 ? 1 : 0; }, 500);
    QVERIFY(seen > 0);
}

SG_CORE_TEST(TestProcessTree)
#include "tst_process_tree.moc"
