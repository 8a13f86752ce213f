import {
  COMMAND_LINE_PATH,
  DIRECT_UPLOAD_PATH,
  INSTALL_SCRIPT_FILE,
  shellWord,
} from '@floe/contracts'

/** What programs of others are told: where the site is, and a token that makes shares. */
export interface TokenTool {
  /** Of the site, without a slash at its end. */
  address: string
  token: string
}

export interface ToolFile {
  name: string
  content: string
}

/** A custom uploader of ShareX (https://getsharex.com/docs/custom-uploader). */
export function shareXFile({ address, token }: TokenTool): ToolFile {
  const { host } = new URL(address)
  const uploader = {
    Version: '15.0.0',
    Name: `Floe (${host})`,
    DestinationType: 'ImageUploader, TextUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: `${address}${DIRECT_UPLOAD_PATH}/`,
    Headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: '{json:url}',
    DeletionURL: '{json:deleteUrl}',
    ErrorMessage: '{json:message}',
  }
  const content = `${JSON.stringify(uploader, null, 2)}\n`
  return { name: `floe-${host.replaceAll(/[^\w.-]/g, '-')}.sxcu`, content }
}

/** Programs that take a screenshot, by what writes it to the standard output. */
export const screenshotPrograms = {
  Flameshot: 'flameshot gui --raw',
  grim: 'grim -g "$(slurp)" -',
} as const
export type ScreenshotProgram = keyof typeof screenshotPrograms

/** A script that shares a screenshot, prints the link and copies it. */
export function screenshotScript(
  program: ScreenshotProgram,
  { address, token }: TokenTool,
): ToolFile {
  const content = `#!/bin/sh
# Takes a screenshot with ${program}, shares it at Floe, and copies the link.
# The token in here shares files in your name: keep this file to yourself (chmod 700).
set -eu
umask 077

site=${shellWord(address)}
token=${shellWord(token)}

picture=$(mktemp)
trap 'rm -f "$picture"' EXIT
${screenshotPrograms[program]} >"$picture"
# Nothing was chosen.
[ -s "$picture" ] || exit 0

# By the standard input: everybody on this machine sees arguments.
link=$(printf 'header = "Authorization: Bearer %s"\\n' "$token" |
  curl -sS --fail-with-body -K - -T "$picture" "$site${DIRECT_UPLOAD_PATH}/screenshot-$(date +%Y-%m-%d-%H%M%S).png")
printf '%s\\n' "$link"

if [ -n "\${WAYLAND_DISPLAY:-}" ] && command -v wl-copy >/dev/null; then
  printf '%s' "$link" | wl-copy
elif [ -n "\${DISPLAY:-}" ] && command -v xclip >/dev/null; then
  printf '%s' "$link" | xclip -selection clipboard
fi
if command -v notify-send >/dev/null; then notify-send 'Floe' "$link" || true; fi
`
  return { name: `floe-${program.toLowerCase()}.sh`, content }
}

/** Two lines for a terminal. */
export function commandLineSetup(address: string): string {
  const script = `${address}${COMMAND_LINE_PATH}/${INSTALL_SCRIPT_FILE}`
  return `curl -fsSL ${script} | sh\nfloe login ${address}`
}
