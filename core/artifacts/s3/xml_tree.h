#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sg::artifacts::s3 {

// An element of an S3 service's answer. Attributes and namespaces are left out.
struct XmlElement {
    std::string name;
    std::string text{}; // its own, without that of its children
    std::vector<XmlElement> children{};

    [[nodiscard]] const XmlElement* find(std::string_view child) const; // the first of that name
    [[nodiscard]] std::string textOf(std::string_view child) const; // "" if there is none
};

// Parses a whole document (expat). Errc::Corrupt: it is not well-formed, declares a document type (entities
// are made there), is nested deeper than 32, or has more than 100,000 elements.
Result<XmlElement> parseXml(std::string_view text);
// Escapes a text for an element.
std::string xmlEscaped(std::string_view text);

} // namespace sg::artifacts::s3
