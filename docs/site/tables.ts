/** A Markdown table. */
export function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Text as it may stand in a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\n+/g, ' · ')
}

/** The text itself, whatever characters it has. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('`', "'").replaceAll('\n', '↵')}\``
}
