import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COPIED_BYTES_A_SECOND, type Estimate, FILES_A_SECOND } from './estimate.ts'

export interface ImportReport {
  product: string
  isDryRun: boolean
  settings: number
  accounts: number
  reverseShares: number
  shares: number
  files: number
  bytes: number
  /** Of a dry run. */
  estimate: Estimate | null
  /** Names, addresses and links that are taken here. */
  conflicts: string[]
  /** What did not come, or came otherwise, a line each. */
  losses: string[]
}

const rows = [
  ['settings', 'Settings'],
  ['accounts', 'Accounts'],
  ['reverseShares', 'Reverse shares'],
  ['shares', 'Shares'],
  ['files', 'Files'],
  ['bytes', 'Bytes'],
] as const

/** For a terminal. */
export function describeReport(report: ImportReport): string {
  const cells = [
    ...rows.map(([key, title]) => [title, report[key].toLocaleString('en')] as const),
    ...describeEstimate(report.estimate),
  ]
  const width = Math.max(...cells.map(([title]) => title.length))
  return [
    `${report.product}, ${report.isDryRun ? 'what would come' : 'what came'}:`,
    ...cells.map(([title, value]) => `  ${title.padEnd(width)}  ${value}`),
    ...report.conflicts.map((line) => `conflict: ${line}`),
    ...report.losses.map((line) => `loss: ${line}`),
  ].join('\n')
}

function describeEstimate(estimate: Estimate | null): [string, string][] {
  if (estimate === null) return []
  const { copiedBytes, freeBytes, seconds } = estimate
  const minutes = Math.ceil(seconds / 60)
  return [
    ['Bytes to copy', copiedBytes.toLocaleString('en')],
    ['Bytes free', freeBytes === null ? 'unknown' : freeBytes.toLocaleString('en')],
    [
      'Time, about',
      `${minutes.toLocaleString('en')} min, at ${FILES_A_SECOND} files and ${COPIED_BYTES_A_SECOND / 1e6} MB a second`,
    ],
  ]
}

/** Writes `import-report.json` and `.html`; resolves with their paths. */
export async function writeReport(folder: string, report: ImportReport): Promise<string[]> {
  const written = [
    { path: join(folder, 'import-report.html'), content: toHtml(report) },
    { path: join(folder, 'import-report.json'), content: `${JSON.stringify(report, null, 2)}\n` },
  ]
  for (const { path, content } of written) await writeFile(path, content, { mode: 0o600 })
  return written.map(({ path }) => path)
}

function toHtml(report: ImportReport): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? ''
      : `<h2>${title}</h2><ul>${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>`
  const cells = rows.map(
    ([key, title]) => `<tr><th>${title}</th><td>${report[key].toLocaleString('en')}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Import into Floe</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}
th{text-align:start;padding-inline-end:2rem}td{text-align:end}</style>
<h1>Import of ${escape(report.product)}</h1>
<table>${cells.join('')}</table>
${list('Conflicts', report.conflicts)}
${list('What did not come, or came otherwise', report.losses)}
</html>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
