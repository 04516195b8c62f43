# Installs E2B's official SDK for JavaScript, with which a test compares, in a folder of its own. It needs Node 20.18, which Debian 12
# does not have (18): where node is older or absent, that test is skipped. Sourced; sets SG_E2B_JS.

e2b_js_folder=${SG_E2B_JS:-${XDG_CACHE_HOME:-$HOME/.cache}/sandglass/e2b-js}
e2b_js_pins=tests/conformance/e2b/js/package.json
if command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 18) ? 0 : 1)' 2>/dev/null; then
    if ! cmp -s "$e2b_js_pins" "$e2b_js_folder/package.json" || [ ! -d "$e2b_js_folder/node_modules/e2b" ]; then
        rm -rf "$e2b_js_folder"
        mkdir -p "$e2b_js_folder"
        cp "$e2b_js_pins" "$e2b_js_folder/"
        npm install --prefix "$e2b_js_folder" --no-audit --no-fund --no-package-lock --ignore-scripts --silent ||
            echo "E2B's SDK for JavaScript could not be installed: the test that compares with it is skipped." >&2
    fi
    [ ! -d "$e2b_js_folder/node_modules/e2b" ] || export SG_E2B_JS=$e2b_js_folder
fi
