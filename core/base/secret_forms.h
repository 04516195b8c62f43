#pragma once

#include <string>
#include <vector>

namespace sg {

// Returns the forms in which a secret may appear in a text: as it is; in base64 (both alphabets, at any
// offset in a longer text, in one line or in lines of 64 or 76); in hex, in one piece or byte by byte;
// percent-encoded as in addresses and forms, or each byte of it; as HTML, JSON and Python write it, or each
// character by its number; and in UTF-16 of either byte order. Each form occurs once; forms so short that
// ordinary text has them are left out.
std::vector<std::string> writtenForms(const std::string& secret);

} // namespace sg
