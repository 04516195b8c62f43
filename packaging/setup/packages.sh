# The Debian packages that each purpose needs, and why. Sourced by run.sh and test.sh.
# Each line holds a package, then the reason that is shown to the user.

packages_to_build='
g++ compiler
cmake build system
ninja-build build system
pkg-config finds libraries
mold links quickly
qt6-base-dev window
qt6-svg-dev icons
libqscintilla2-qt6-dev code editor
nlohmann-json3-dev JSON
libsqlite3-dev checkpoints
libssl-dev hashes
libboost-dev HTTP server
libxxhash-dev task ids
libspdlog-dev diagnostics
libcli11-dev command line
libcurl4-openssl-dev Docker Engine API
libjq-dev jq expressions
libarchive-dev bundles of threads
libexpat1-dev answers of S3 services
libhiredis-dev queues of role pools on Redis
libpq-dev threads of several machines in PostgreSQL
'

packages_to_run='
bubblewrap the sandbox that needs no container engine
python3 runs inside the sandbox
python3-venv sandbox runtime
ca-certificates sandbox runtime download
qt6-qpa-plugins window
libqt6svg6 icons
'

packages_to_test='
ccache compiles what another preset or clone has compiled
docker.io container engine
openssl certificates of an engine behind TLS
mmdebstrap sandbox image
xvfb display for window tests
xauth display for window tests
dbus accessibility bus
libsecret-tools keyring
gnome-keyring keyring tests
at-spi2-core accessibility bus
python3-pyatspi drives the window
python3-gi drives the window
gir1.2-atspi-2.0 drives the window
openbox window manager for window tests
xdotool real key presses and drags
x11-utils window tests
imagemagick screenshots
graphviz arranges graphs
git compares and merges graphs
zsh completions
fish completions
groff-base manual pages
fonts-inter screenshots
fonts-jetbrains-mono screenshots
iproute2 network namespaces
util-linux namespaces
procps process checks
redis-server queues of role pools
postgresql threads of several machines in PostgreSQL
systemd systemd-analyze checks the units of packaging
'

packages_to_fuzz='
clang-14 libFuzzer, which g++ does not have
libclang-rt-14-dev libFuzzer itself, and the sanitizers that run with it
'

packages_to_lint='
clang-format-14 how the sources are laid out
clang-tidy-14 what is doubtful in them
clang-14 parses the headers of many files once
libclang-14-dev makes clang-tidy three times as fast
llvm-14-dev makes clang-tidy three times as fast
shellcheck shell scripts
'

packages_to_podman='
podman the other container engine
runc starts containers
uidmap users of rootless containers
slirp4netns network of rootless containers
fuse-overlayfs files of rootless containers
'

packages_to_clean_root='
mmdebstrap fresh Debian root
'
