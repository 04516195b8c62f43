// moc 6.4 fails on a file whose first standard header is <compare>, so it reads this before every file.
#include <string>
