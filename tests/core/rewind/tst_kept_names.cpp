// The names of a snapshot as people are told of them: also those whose object another name has, too.

#include "core/rewind/snapshots.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace sg;
using rewind::KeptName;

namespace {

Value record(const std::string& kind, const std::string& name, const std::string& scope, ValueMap more = {})
{
    more.set("kind", kind);
    more.set("name", name);
    more.set("scope", scope);
    return Value(std::move(more));
}

Value shown(const std::string& type, const std::string& preview)
{
    return Value::map({ { "type", type }, { "size", 28 }, { "preview", preview } });
}

Value alias(const std::string& name, const std::string& of, const std::string& scope)
{
    return record("alias", name, "", Value::map({ { "of", of }, { "of_scope", scope } }).asMap());
}

Value kept(const std::string& name, const std::string& scope, const std::string& preview)
{
    return record(
        "name", name, scope,
        Value::map({ { "shown", shown("int", preview) }, { "blob", "hash of " + preview } }).asMap());
}

Value missing(const std::string& name, const std::string& scope)
{
    return record(
        "missing", name, scope,
        Value::map({ { "shown", shown("lock", "<lock>") }, { "reason", "cannot pickle" } }).asMap());
}

std::vector<KeptName> namesOf(const ValueList& records)
{
    sessions::Snapshot snapshot;
    snapshot.names = Value::map({ { "records", Value(records) } });
    return rewind::Snapshots::namesOf(snapshot);
}

KeptName only(const ValueList& records, const std::string& name)
{
    const auto names = namesOf(records);
    const auto found = std::ranges::find(names, name, &KeptName::name);
    if (found == names.end())
        qFatal("no name %s", name.c_str());
    return *found;
}

const char* const kFile = "nodes/train.py";

} // namespace

class TestKeptNames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anotherNameOfAnObjectIsShownAsThatObject()
    {
        const KeptName rate = only({ kept("limit", "", "3"), alias("rate", "limit", "") }, "rate");
        QCOMPARE(rate.type, std::string("int"));
        QCOMPARE(rate.preview, std::string("3"));
        QCOMPARE(rate.size, 28);
        QVERIFY(rate.missing.empty());
        QVERIFY(!rate.identity.empty()); // what changes there changes here
        QVERIFY(rate.identity
                != only({ kept("limit", "", "4"), alias("rate", "limit", "") }, "rate").identity);
    }

    void whatANodesFileMadeIsShownOnce()
    {
        const auto names = namesOf({ kept("WIDTH", kFile, "480"), alias("WIDTH", "WIDTH", kFile) });
        QCOMPARE(names.size(), std::size_t(1));
        QCOMPARE(names[0].preview, std::string("480"));
    }

    void functionsOfANodesFileSayWhatTheyAreOrWhereTheyComeFrom()
    {
        Value told = alias("train", "train", kFile);
        told.editMap().set("shown", Value::map({ { "type", "function" }, { "size", 152 } }));
        QCOMPARE(only({ told }, "train").type, std::string("function"));
        QCOMPARE(only({ told }, "train").preview, std::string());
        QCOMPARE(only({ alias("train", "train", kFile) }, "train").preview,
                 std::string("from nodes/train.py"));
    }

    void modulesAreNotListed()
    {
        Value told = alias("os", "os", kFile);
        told.editMap().set("shown", Value::map({ { "type", "module" } }));
        QVERIFY(namesOf({ told, record("import", "io", kFile), alias("io", "io", kFile),
                          record("import", "re", "") })
                    .empty());
    }

    void anotherNameOfWhatIsMissingIsMissing()
    {
        const ValueList records{ missing("lock", ""), alias("guard", "lock", ""), missing("own", kFile),
                                 alias("own", "own", kFile) };
        QCOMPARE(only(records, "guard").missing,
                 std::string("it is another name of lock, which was not kept"));
        QCOMPARE(only(records, "own").missing, std::string("cannot pickle"));
        QCOMPARE(only(records, "lock").missing, std::string("cannot pickle"));
    }
};

SG_CORE_TEST(TestKeptNames)
#include "tst_kept_names.moc"
