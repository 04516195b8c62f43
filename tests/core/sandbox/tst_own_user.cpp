#include "core/sandbox/own_user.h"
#include "tests/support/qtest_std.h"
#include "tests/support/require.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <unistd.h>

#include <set>
#include <vector>

using namespace sg;
using namespace sg::sandbox;

class TestOwnUser final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noTwoHaveTheSame();
    void anAdoptedOneIsHeld();
};

void TestOwnUser::noTwoHaveTheSame()
{
    if (::geteuid() != 0)
        SG_SKIP("only root gives users away");
    std::vector<OwnUser> users;
    std::set<uid_t> numbers;
    for (int i = 0; i < 40; ++i) {
        auto user = OwnUser::take();
        SG_VERIFY_OK(user);
        QVERIFY(!user->isShared());
        QVERIFY(user->user().uid >= kFirstFreeUid && user->user().uid <= kLastFreeUid);
        numbers.insert(user->user().uid);
        users.push_back(std::move(*user));
    }
    QCOMPARE(numbers.size(), users.size());
}

void TestOwnUser::anAdoptedOneIsHeld()
{
    if (::geteuid() != 0)
        SG_SKIP("only root gives users away");
    uid_t number = 0;
    {
        auto user = OwnUser::take();
        SG_VERIFY_OK(user);
        number = user->user().uid;
        QVERIFY(OwnUser::adopt(number).isShared()); // it is another's now
    }
    QVERIFY(!OwnUser::adopt(number).isShared());
    QVERIFY(OwnUser::adopt(0).isShared());
}

SG_CORE_TEST(TestOwnUser)
#include "tst_own_user.moc"
