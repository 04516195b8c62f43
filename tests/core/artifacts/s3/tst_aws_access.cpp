#include "core/artifacts/s3/aws_access.h"
#include "core/artifacts/s3/aws_profile.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <fstream>
#include <map>

using namespace sg;
using namespace sg::artifacts::s3;

namespace {

using Variables = std::map<std::string, std::string>;

struct World {
    test::TempDir dir;
    Variables variables{ { "AWS_CONFIG_FILE", dir / "config" },
                         { "AWS_SHARED_CREDENTIALS_FILE", dir / "credentials" } };

    void write(const char* name, const std::string& text) const { std::ofstream(dir / name) << text; }
    Result<AwsAccess> find(const std::string& address) const
    {
        const auto parsed = parseBucketAddress(address);
        if (!parsed)
            return parsed.error();
        return findAccess(*parsed, [this](const std::string& name) -> std::optional<std::string> {
            const auto found = variables.find(name);
            return found == variables.end() ? std::nullopt : std::optional(found->second);
        });
    }
};

const char* const kProfiles =
    "[default]\naws_access_key_id=DEFAULT\naws_secret_access_key=default-secret\n"
    "# a comment\n[work]\n aws_access_key_id = WORK \naws_secret_access_key= work-secret=\n"
    "aws_session_token = a-session-token\n";

} // namespace

class TestAwsAccess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void variablesWinOverTheDefaultProfile();
    void aProfileOfTheAddressWinsOverVariables();
    void choosesEndpointAndStyle_data();
    void choosesEndpointAndStyle();
    void takesTheNumberOfAttempts();
    void saysWhereKeysWereLookedFor();
    void saysWhatOnlyProgramsOfAwsCanDo();
    void readsNestedValues();
};

void TestAwsAccess::variablesWinOverTheDefaultProfile()
{
    World world;
    world.write("credentials", kProfiles);
    const auto byFile = world.find("s3://team");
    SG_VERIFY_OK(byFile);
    QCOMPARE(byFile->keyId, std::string("DEFAULT"));
    QCOMPARE(byFile->region, std::string("us-east-1"));
    QVERIFY(!byFile->isRegionChosen && !byFile->sessionToken);
    world.variables.insert({ { "AWS_ACCESS_KEY_ID", "VARIABLE" },
                             { "AWS_SECRET_ACCESS_KEY", "variable-secret" },
                             { "AWS_DEFAULT_REGION", "eu-west-3" } });
    const auto byVariable = world.find("s3://team");
    SG_VERIFY_OK(byVariable);
    QCOMPARE(byVariable->keyId, std::string("VARIABLE"));
    QCOMPARE(byVariable->region, std::string("eu-west-3"));
}

void TestAwsAccess::aProfileOfTheAddressWinsOverVariables()
{
    World world;
    world.write("credentials", kProfiles);
    world.variables.insert(
        { { "AWS_ACCESS_KEY_ID", "VARIABLE" }, { "AWS_SECRET_ACCESS_KEY", "variable-secret" } });
    const auto access = world.find("s3://team?profile=work");
    SG_VERIFY_OK(access);
    QCOMPARE(access->keyId, std::string("WORK"));
    QCOMPARE(access->secret.reveal(), std::string("work-secret="));
    QCOMPARE(access->sessionToken->reveal(), std::string("a-session-token"));
}

void TestAwsAccess::choosesEndpointAndStyle_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<QByteArray>("endpoint");
    QTest::addColumn<bool>("pathStyle");
    QTest::newRow("AWS") << QByteArray("s3://team?region=eu-west-1")
                         << QByteArray("https://s3.eu-west-1.amazonaws.com") << false;
    QTest::newRow("China") << QByteArray("s3://team?region=cn-north-1")
                           << QByteArray("https://s3.cn-north-1.amazonaws.com.cn") << false;
    QTest::newRow("dots") << QByteArray("s3://te.am") << QByteArray("https://s3.us-east-1.amazonaws.com")
                          << true;
    QTest::newRow("own") << QByteArray("s3://team?endpoint=https://minio:9000")
                         << QByteArray("https://minio:9000") << true;
    QTest::newRow("own with hosts") << QByteArray("s3://team?endpoint=https://minio:9000&path_style=no")
                                    << QByteArray("https://minio:9000") << false;
}

void TestAwsAccess::choosesEndpointAndStyle()
{
    QFETCH(QByteArray, address);
    QFETCH(QByteArray, endpoint);
    QFETCH(bool, pathStyle);
    World world;
    world.write("credentials", kProfiles);
    const auto access = world.find(address.toStdString());
    SG_VERIFY_OK(access);
    QCOMPARE(access->endpoint, endpoint.toStdString());
    QCOMPARE(access->pathStyle, pathStyle);
}

void TestAwsAccess::takesTheNumberOfAttempts()
{
    World world;
    world.write("credentials", kProfiles);
    QVERIFY(!world.find("s3://team")->attempts);
    world.write("config", "[default]\nmax_attempts = 7\n");
    QCOMPARE(world.find("s3://team")->attempts, std::optional(7));
    for (const auto& [text, count] : std::map<std::string, std::optional<int>>{
             { "1", 1 }, { "5000", 100 }, { "0", std::nullopt }, { "many", std::nullopt } }) {
        world.variables["AWS_MAX_ATTEMPTS"] = text;
        QCOMPARE(world.find("s3://team")->attempts, count);
    }
}

void TestAwsAccess::saysWhereKeysWereLookedFor()
{
    const World world;
    const auto access = world.find("s3://team");
    QVERIFY(!access);
    QCOMPARE(access.error().code, Errc::PermissionDenied);
    QVERIFY(access.error().message.find("AWS_ACCESS_KEY_ID") != std::string::npos);
    QVERIFY(access.error().message.find("credentials") != std::string::npos);
    const auto absent = world.find("s3://team?profile=absent");
    QVERIFY(!absent);
    QCOMPARE(absent.error().code, Errc::NotFound);
}

void TestAwsAccess::saysWhatOnlyProgramsOfAwsCanDo()
{
    World world;
    world.write("config", "[profile sso]\nsso_session = us\nregion = eu-west-1\n");
    const auto access = world.find("s3://team?profile=sso");
    QVERIFY(!access);
    QCOMPARE(access.error().code, Errc::Unsupported);
    QVERIFY(access.error().message.find("aws configure export-credentials --profile sso")
            != std::string::npos);
}

void TestAwsAccess::readsNestedValues()
{
    auto profiles =
        parseProfiles("[profile a]\ns3 =\n  addressing_style = path\n\tendpoint_url=http://x:1\nregion = r\n"
                      "[b]\n  region = q\nnonsense\n= \n[broken\nk=v");
    QCOMPARE(profiles["a"]["s3.addressing_style"], std::string("path"));
    QCOMPARE(profiles["a"]["s3.endpoint_url"], std::string("http://x:1"));
    QCOMPARE(profiles["a"]["region"], std::string("r"));
    QCOMPARE(profiles["b"]["region"], std::string("q"));
}

SG_TEST(TestAwsAccess)
#include "tst_aws_access.moc"
