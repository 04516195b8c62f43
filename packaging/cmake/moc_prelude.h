// moc 6.4 stumbles over a file whose first standard header is <compare>: it reads this before every file.
#include <string>
