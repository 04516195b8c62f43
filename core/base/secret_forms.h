#pragma once

#include <string>
#include <vector>

namespace sg {

// Returns the forms in which a secret may appear in a text: as it is; in base64 (both alphabets, at any
// offset in a longer text, in one line or in lines of 64 or 76); in hex; percent-encoded as in addresses and
// forms; and as HTML, JSON and Python write it. Each form occurs once; forms so short that ordinary text has
// them are left out.
std::vector<std::string> writtenForms(const std::string& secret);

} // namespace sg
