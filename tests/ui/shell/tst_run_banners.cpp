// A banner offers help after a failed run, by what the engine says of it.

#include "tests/support/example_project.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "ui/shell/parts/run_banners.h"

using namespace sg;
using namespace sg::ui;

class TestRunBanners : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aMissingChannelIsNamed()
    {
        sg::test::ExampleProject project(sg::test::oneNodeGraph("{value: 1}"));
        runs::RunRequest request;
        request.thread = ThreadId("t");
        request.input = engine::RunInput::input(Value::map({ { "text", "all is down" } }));
        const auto refused = project->runs().start(request);
        QVERIFY(!refused);
        QCOMPARE(missingChannelOf(QString::fromStdString(refused.error().message)), QStringLiteral("text"));
        QCOMPARE(missingChannelOf(QStringLiteral("KeyError: 'text'")), QString());
    }
};

SG_TEST(TestRunBanners)
#include "tst_run_banners.moc"
