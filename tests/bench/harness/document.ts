import { describeMachine } from './machine.ts'
import { markdownRow, markdownTable, type Line } from './report.ts'

export interface DocumentFacts {
  lines: readonly Line[]
  medium: 'tmpfs' | 'disk'
  clientLanguage: 'C' | 'Node'
  rounds: number
  measuredAt: Date
  /** Load average of the machine before anything was started. */
  loadBefore: number
}

const QUIET_LOAD = 0.7

/** The document with these lines in the place of those of the same name, or behind all. */
export function renewLines(document: string, lines: readonly Line[], measuredAt: Date): string {
  const day = measuredAt.toISOString().slice(0, 10)
  const rows = document.split('\n')
  for (const line of lines) {
    const row = markdownRow({ ...line, measured: `${line.measured}, on ${day}` })
    const place = rows.findIndex((former) => former.startsWith(`| ${line.what} |`))
    if (place >= 0) rows[place] = row
    else rows.splice(rows.findLastIndex((former) => former.startsWith('|')) + 1, 0, row)
  }
  return rows.join('\n')
}

const media = {
  tmpfs:
    'All data, that of the database included, is on tmpfs: processor time and not the disk is the limit, and flushing to disk costs nothing.',
  disk: 'All data is on the disk, because the memory file system is too small: rates vary with it.',
}

/** docs/benchmarks.md: generated, so that it never says what nobody measured. */
export function benchmarkDocument(facts: DocumentFacts): string {
  const { lines, medium, clientLanguage, rounds, measuredAt, loadBefore } = facts
  return `# Benchmarks

Written by \`npm run bench\` on ${measuredAt.toISOString().slice(0, 10)}; do not edit.

${describeMachine()
  .map((fact) => `- ${fact}`)
  .join('\n')}
- Client, servers and database share the machine and talk over loopback. The load client is written in ${clientLanguage}.
- ${media[medium]}
- Before each upload into MinIO, memory is taken and given back: a virtual machine lends what is free to its host, and whoever uses it first waits for the host.
- Load average before the run: ${loadBefore.toFixed(1)}.${loadBefore > QUIET_LOAD ? ' The machine was busy with other work, so these figures are worse than its own: measure again on a quiet one before judging by them.' : ''}

How to read it: every figure is the median of ${rounds} or more runs, lowest and highest in parentheses; where a busy machine made a comparison too long for that, the number of runs is given. Floe and a reference run in turn, and a ratio is the median of the ratios of neighbouring runs; ratios and CPU time mean more than rates, which depend on the machine. CPU is user and system time of the server's own process for each GiB moved, 1 MB is 10^6 bytes, memory is the peak resident size of the Node process. A verdict compares the median with the budget. Uploads are tus PATCH requests; what was uploaded is read back once and compared byte for byte before anything is timed.

${markdownTable(lines)}

The references: nginx with sendfile and a 1 MiB body buffer, as one process; tusd and \`@tus/server\` with their file stores; for small files \`@tus/server\` that writes the same rows into the same database, in one prepared statement per file; archiver storing without compression, or at the level that is compared; \`zip -0\` into a pipe; express with http-proxy-middleware in front of the same file service; for MinIO, which runs beside them on the same processors, a client of the AWS SDK that sends parts of 8 MiB, four at once and undigested, a signed address read by the load client, and \`@tus/server\` with its S3 store. None of them computes a CRC-32 while receiving, Floe does.

Frames are those that the page's own thread produces in Chromium, which draws without a graphics card here. The poorest second is the one with the fewest of them, wherever it begins; the wheel goes through the whole list without a pause, and the reference is a page of the same run on which nothing moves.

\`npm run bench -- --quick\` runs everything once with little data, to check the harness; \`npm run bench -- --only upload,download\` runs some rows. Neither rewrites this page; the rows of the latter are renewed in it with \`--renew\`, and say when. tusd is built with Go on the first run where Go is installed.

How long a fresh clone takes to start is measured by its own test.
`
}
