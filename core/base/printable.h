#pragma once

#include <string>
#include <string_view>

namespace sg {

// Makes text from outside fit for a terminal or a label: control characters (C0, DEL, C1) and marks that
// reorder text (bidi overrides, isolates, line separators) become visible escapes such as \x1b and \u202e,
// and invalid UTF-8 becomes U+FFFD. Line feeds and tabs stay.
std::string printableText(std::string_view text);

} // namespace sg
