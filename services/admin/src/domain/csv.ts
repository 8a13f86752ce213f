// What a spreadsheet takes for a formula: at the start of a cell, and also after what another
// separator, a quote or a line break than ours would make the start of one.
const formulaStart = /(^|[;,|\t\r\n"'])(\s*)([=+\-@\t\r\uff0b\uff0d\uff1d\uff20])/g

/** One cell of RFC 4180, always quoted, that no spreadsheet runs: `'` makes what follows text. */
export function csvCell(text: string): string {
  const harmless = text.replace(formulaStart, "$1$2'$3")
  return `"${harmless.replaceAll('"', '""')}"`
}

export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
