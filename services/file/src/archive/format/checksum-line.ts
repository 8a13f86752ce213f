/**
 * One line of a list that `sha256sum -c` reads, as GNU coreutils write it: where the path has a
 * backslash or a line break, these are escaped and the line begins with a backslash.
 */
export function checksumLine(path: string, sha256: string): string {
  const escaped = path.replace(/[\\\n\r]/g, (character) => escapes[character] ?? character)
  const mark = escaped === path ? '' : '\\'
  // A lone dash would be taken for the standard input.
  return `${mark}${sha256}  ${escaped === '-' ? './-' : escaped}\n`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' }
