import { COMMAND_LINE_FILE, COMMAND_LINE_PATH, shellWord } from '@floe/contracts'

/**
 * What `curl -fsSL <address>/cli/install.sh | sh` runs. Everything is in one function, so that a
 * download that is cut runs nothing. The command is a link to a file whose name ends with `.mjs`,
 * which is how every version of Node.js knows a module.
 */
export function renderInstallScript({
  address,
  sha256,
}: {
  /** Of the site, without a slash at its end. */
  address: string
  /** Of the command line, as hexadecimal digits. */
  sha256: string
}): string {
  return `#!/bin/sh
# Installs the command line of Floe for the user who runs it. FLOE_INSTALL_DIR says where the
# command goes, usually ~/.local/bin.
set -eu
umask 022

site=${shellWord(address)}
sha256=${shellWord(sha256)}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

download() {
  if command -v curl >/dev/null; then
    curl -fsSL -o "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1"
  else
    fail 'curl or wget is needed.'
  fi
}

main() {
  need='Node.js 20.19 or newer is needed (of the 22 line, 22.12 or newer)'
  command -v node >/dev/null ||
    fail "$need. The releases of Floe have programs that need none."
  node -e '
    const [major, minor] = process.versions.node.split(".").map(Number)
    const least = { 20: 19, 22: 12 }[major] ?? (major > 22 ? 0 : Infinity)
    process.exit(minor >= least ? 0 : 1)
  ' || fail "$need; this is $(node --version)."

  bin=\${FLOE_INSTALL_DIR:-$HOME/.local/bin}
  library=\${XDG_DATA_HOME:-$HOME/.local/share}/floe
  mkdir -p "$bin" "$library"
  part=$library/${COMMAND_LINE_FILE}.part
  download "$site${COMMAND_LINE_PATH}/${COMMAND_LINE_FILE}" "$part" || fail "$site could not be reached."
  found=$(node -e '
    const content = require("node:fs").readFileSync(process.argv[1])
    console.log(require("node:crypto").createHash("sha256").update(content).digest("hex"))
  ' "$part")
  if [ "$found" != "$sha256" ]; then
    rm -f "$part"
    fail 'The download is damaged. Nothing was changed.'
  fi
  chmod 755 "$part"
  mv -f "$part" "$library/${COMMAND_LINE_FILE}"
  ln -sf "$library/${COMMAND_LINE_FILE}" "$bin/floe"

  echo "Installed as $bin/floe."
  case ":$PATH:" in
    *":$bin:"*) ;;
    *) echo "Add it to your PATH: export PATH=\\"$bin:\\$PATH\\"" ;;
  esac
  echo "Sign in with: floe login $site"
}

main
`
}
