#pragma once

#include "core/base/value.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace sg::ui {

enum class Change { Same, Added, Changed, Removed };

// One entry of a map or list in two states. `was` is null for an added entry, `now` for a removed one. Values
// are shared, so copies are cheap.
struct ValueChange {
    enum class Label { Key, Index, Run };
    Change change = Change::Same;
    Label label = Label::Key;
    QString name; // key, "[6]", or "[0] … [98]" of a run
    Value was;
    Value now; // the whole list for a run
    std::size_t first = 0; // index of a run's first item
    std::size_t count = 0; // number of items in a run

    [[nodiscard]] const Value& shown() const { return change == Change::Removed ? was : now; }
};

struct ChangeCounts {
    int added = 0;
    int changed = 0;
    int removed = 0;
    friend bool operator==(const ChangeCounts&, const ChangeCounts&) = default;
};

// Selects `most` entries from number `from` on. With `folds`, a long run of equal items is one entry, so that
// changes are found among millions.
struct ChangePage {
    std::size_t from = 0;
    std::size_t most = 0;
    bool folds = false;
};

// The entries of `now` in their order, then those that only `was` has. Lists are matched from both ends, so
// that an inserted item is one added item instead of many changed ones.
struct ValueChanges {
    std::vector<ValueChange> entries;
    std::size_t total = 0; // entries on all pages
};
ValueChanges changesOf(const Value& was, const Value& now, const ChangePage& page);

// The items of a folded run, as entries.
ValueChanges itemsOf(const ValueChange& run, const ChangePage& page);

// Counts changed leaves: an added list counts once, a map with two changed entries twice. Counting stops at
// `most`.
ChangeCounts countChanges(const Value& was, const Value& now, int most = 9999);

[[nodiscard]] bool hasEntries(const Value& value); // whether it is a map or list that is not empty

} // namespace sg::ui
