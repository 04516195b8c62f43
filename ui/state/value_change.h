#pragma once

#include "core/base/value.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace sg::ui {

enum class Change { Same, Added, Changed, Removed };

// One entry of a map or list in two states of it. Of an added one `was` is null, of a removed one `now`;
// values are shared copies, so this is cheap.
struct ValueChange {
    enum class Label { Key, Index, Run };
    Change change = Change::Same;
    Label label = Label::Key;
    QString name; // key, "[6]", or "[0] … [98]" of a run
    Value was;
    Value now; // of a run: the whole list
    std::size_t first = 0; // of a run: the items from here on
    std::size_t count = 0; // of a run: so many are the same

    [[nodiscard]] const Value& shown() const { return change == Change::Removed ? was : now; }
};

struct ChangeCounts {
    int added = 0;
    int changed = 0;
    int removed = 0;
    friend bool operator==(const ChangeCounts&, const ChangeCounts&) = default;
};

// Which entries are wanted: at most `most`, from the one numbered `from` on. With `folds`, a long run of
// items that are the same is one entry, so that what changed is found among millions.
struct ChangePage {
    std::size_t from = 0;
    std::size_t most = 0;
    bool folds = false;
};

// Entries of `now` in their order, then what only `was` has. Lists are matched from both ends, so that an
// item appended or put in the middle is one added item, not many changed ones.
struct ValueChanges {
    std::vector<ValueChange> entries;
    std::size_t total = 0; // entries on all pages
};
ValueChanges changesOf(const Value& was, const Value& now, const ChangePage& page);

// The items of a run, as entries.
ValueChanges itemsOf(const ValueChange& run, const ChangePage& page);

// Changes at the leaves: an added list counts once, a map with two changed entries twice. Counting stops at
// `most`.
ChangeCounts countChanges(const Value& was, const Value& now, int most = 9999);

[[nodiscard]] bool hasEntries(const Value& value); // a map or list that is not empty

} // namespace sg::ui
