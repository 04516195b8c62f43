#pragma once

#include <string>
#include <vector>

namespace sg {

// How a secret may stand in a text that was made with it: as it is; in base64 (either alphabet, wherever in a
// longer text it began, in one line or in lines of 64 or 76); in hex; percent-encoded as addresses and forms
// are; as HTML, JSON and Python write it. Each once; the shortest are left out, as ordinary text has them.
std::vector<std::string> writtenForms(const std::string& secret);

} // namespace sg
