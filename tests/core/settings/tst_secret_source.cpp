// Where secrets are taken from, and which files are none any more.

#include "core/base/redaction.h"
#include "core/settings/secret_source.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/stat.h>

#include <map>

using namespace sg;
using namespace sg::settings;
namespace fs = std::filesystem;

namespace {

struct Place {
    fs::path put(const std::string& name, const std::string& bytes, fs::perms mode = fs::perms(0600)) const
    {
        const fs::path file = folder.write("secrets/" + name, bytes);
        fs::permissions(file, mode);
        return file;
    }
    [[nodiscard]] SecretSource source() const
    {
        return { [this](const std::string& name) -> std::optional<std::string> {
                    const auto found = variables.find(name);
                    return found == variables.end() ? std::nullopt : std::optional(found->second);
                },
                 folder / "secrets", keyring };
    }
    test::TempDir folder;
    std::map<std::string, std::string> variables;
    SecretSource::Keyring keyring;
};

} // namespace

class TestSecretSource : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesTheEnvironmentThenTheFileThenTheKeyring()
    {
        Place place;
        place.keyring = [](const std::string&) -> Result<std::optional<std::string>> {
            return std::optional<std::string>("from-the-keyring");
        };
        QCOMPARE(place.source().find("api-key")->reveal(), std::string("from-the-keyring"));
        QCOMPARE(place.source().placeOf("api-key"), std::string("keyring"));
        place.put("api-key", "from-the-file\n");
        QCOMPARE(place.source().find("api-key")->reveal(), std::string("from-the-file"));
        QCOMPARE(place.source().placeOf("api-key"), std::string("file"));
        place.variables["SANDGLASS_SECRET_API_KEY"] = "from-the-environment";
        QCOMPARE(place.source().find("api-key")->reveal(), std::string("from-the-environment"));
        QCOMPARE(place.source().filed(), std::vector<std::string>{ "api-key" });
        QCOMPARE(withoutSecrets("from-the-file, from-the-environment"),
                 std::string("[secret api-key], [secret api-key]"));
    }

    void refusesWhatOthersCouldRead_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("isGood");
        for (const int mode : { 0600, 0400, 0640, 0604, 0644, 0660, 0610 })
            QTest::addRow("%o", mode) << mode << ((mode & 077) == 0);
    }
    void refusesWhatOthersCouldRead()
    {
        QFETCH(const int, mode);
        QFETCH(const bool, isGood);
        Place place;
        place.put("token", "a-long-enough-token", fs::perms(mode));
        const auto found = place.source().find("token");
        QCOMPARE(static_cast<bool>(found), isGood);
        if (!isGood) {
            QCOMPARE(found.error().code, Errc::PermissionDenied);
            QVERIFY(found.error().message.find("chmod 600") != std::string::npos);
        }
    }

    void followsNoLinkAndOpensNoPipe()
    {
        Place place;
        const fs::path real = place.put("real", "a-long-enough-token");
        fs::create_symlink(real, place.folder / "secrets/link");
        QVERIFY(!place.source().find("link"));
        QVERIFY(::mkfifo((place.folder / "secrets/pipe").c_str(), 0600) == 0);
        QVERIFY(!place.source().find("pipe"));
    }

    void saysWhereItCouldBePut()
    {
        const Place place;
        const auto found = place.source().find("missing");
        QVERIFY(!found);
        QCOMPARE(found.error().code, Errc::NotFound);
        QVERIFY(found.error().message.find("SANDGLASS_SECRET_MISSING") != std::string::npos);
    }

    // A machine without a keyring misses nothing but that; one that is locked is told of as it is.
    void tellsOfTheKeyring()
    {
        Place place;
        Error told{ Errc::Unavailable, "no bus here" };
        place.keyring = [&](const std::string&) -> Result<std::optional<std::string>> { return told; };
        const auto missed = place.source().find("missing");
        QVERIFY(!missed);
        QCOMPARE(missed.error().code, Errc::NotFound);
        SG_VERIFY_CONTAINS(missed.error().message, "no bus here");
        told = { Errc::PermissionDenied, "it is locked" };
        const auto locked = place.source().find("missing");
        QVERIFY(!locked);
        QCOMPARE(locked.error().code, Errc::PermissionDenied);
    }

    void filesAreThisUsersAlone()
    {
        Place place;
        SG_VERIFY_OK(place.source().file("token", "first-of-them"));
        SG_VERIFY_OK(place.source().file("token", "a-long-enough-token"));
        QCOMPARE(fs::status(place.folder / "secrets/token").permissions(), fs::perms(0600));
        QCOMPARE(fs::status(place.folder / "secrets").permissions(), fs::perms(0700));
        QCOMPARE(place.source().find("token")->reveal(), std::string("a-long-enough-token"));
        QCOMPARE(place.source().filed(), std::vector<std::string>{ "token" });
        QVERIFY(*place.source().unfile("token"));
        QVERIFY(!*place.source().unfile("token"));
        QVERIFY(!*place.source().unfile("../secrets"));
    }

    void refusesNames_data()
    {
        QTest::addColumn<std::string>("name");
        for (const char* name : { "", "../x", "a/b", "1a", "a b", ".hidden", "a.b", "-x" })
            QTest::newRow(name) << std::string(name);
        QTest::newRow("long") << std::string(65, 'a');
    }
    void refusesNames()
    {
        QFETCH(const std::string, name);
        const Place place;
        const auto found = place.source().find(name);
        QVERIFY(!found);
        QCOMPARE(found.error().code, Errc::InvalidArgument);
    }

    void findsItsFolder()
    {
        const auto with = [](std::map<std::string, std::string> variables) {
            return secretsFolder([variables](const std::string& name) -> std::optional<std::string> {
                const auto found = variables.find(name);
                return found == variables.end() ? std::nullopt : std::optional(found->second);
            });
        };
        QCOMPARE(with({ { "XDG_CONFIG_HOME", "/c" }, { "HOME", "/h" } }), fs::path("/c/sandglass/secrets"));
        QCOMPARE(with({ { "HOME", "/h" } }), fs::path("/h/.config/sandglass/secrets"));
        QCOMPARE(with({ { "XDG_CONFIG_HOME", "relative" } }), fs::path());
    }
};

SG_TEST(TestSecretSource)
#include "tst_secret_source.moc"
