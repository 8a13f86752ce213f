/**
 * `npm run bench`: measures Floe against its budgets and against known servers on this machine, and
 * writes docs/benchmarks.md. `-- --quick` runs every row once with little data, to see that the
 * harness works; `-- --only upload,download` runs some rows. Neither of the two writes the document,
 * but with `--renew` the rows that were chosen replace theirs in it.
 * A missed budget never fails the run; a row that cannot be measured does.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bench, Row } from './bench.ts'
import { createLoadClient } from './client/load-client.ts'
import { benchmarkDocument, renewLines } from './harness/document.ts'
import { runCommand } from './harness/process.ts'
import { FULL_ROUNDS, missingLine, plainTable, type Line } from './harness/report.ts'
import { createScratch } from './harness/scratch.ts'
import { GiB } from './harness/transfers.ts'
import { adminTablesRow } from './rows/admin-tables.ts'
import { apiReadsRow } from './rows/api-reads.ts'
import { archiveRow } from './rows/archive.ts'
import { archiveLevelsRow } from './rows/archive-levels.ts'
import { browserEncryptedRow } from './rows/browser-encrypted.ts'
import { browserLargeRow, browserUploadRow } from './rows/browser-upload.ts'
import { downloadRow } from './rows/download.ts'
import { fileWorkersRow } from './rows/file-workers.ts'
import { framesRow } from './rows/frames.ts'
import { gatewayProxyRow } from './rows/gateway-proxy.ts'
import { identityRow } from './rows/identity.ts'
import { importRow } from './rows/import.ts'
import { cliRow } from './rows/cli.ts'
import { interactionsRow } from './rows/interactions.ts'
import { lighthouseRow } from './rows/lighthouse.ts'
import { memoryRow } from './rows/memory.ts'
import { resetRow } from './rows/reset.ts'
import { s3DownloadRow, s3MemoryRow, s3UploadRow } from './rows/s3.ts'
import { seekRow } from './rows/seek.ts'
import { sharePageRow } from './rows/share-page.ts'
import { signInRow } from './rows/sign-in.ts'
import { firstByteRow, smallFilesRow } from './rows/small-files.ts'
import { startRow } from './rows/start.ts'
import { requestSizeRow, uploadRow } from './rows/upload.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** In the order of the budgets. */
const rows: readonly Row[] = [
  uploadRow,
  requestSizeRow,
  fileWorkersRow,
  smallFilesRow,
  browserUploadRow,
  browserLargeRow,
  browserEncryptedRow,
  cliRow,
  downloadRow,
  archiveRow,
  archiveLevelsRow,
  firstByteRow,
  gatewayProxyRow,
  resetRow,
  memoryRow,
  s3UploadRow,
  s3DownloadRow,
  s3MemoryRow,
  signInRow,
  identityRow,
  apiReadsRow,
  adminTablesRow,
  importRow,
  seekRow,
  sharePageRow,
  lighthouseRow,
  framesRow,
  interactionsRow,
  startRow,
]

const FULL_RUN_BYTES = 8 * GiB
const QUICK_RUN_BYTES = GiB

function chooseRows(only: string | undefined): readonly Row[] {
  if (only === undefined) return rows
  const names = only.split(',')
  const unknown = names.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) throw new Error(`no row is called ${unknown.join(', ')}`)
  return rows.filter(({ name }) => names.includes(name))
}

async function measureRows(bench: Bench, chosen: readonly Row[]) {
  const lines: Line[] = []
  let failures = 0
  for (const { name, measure } of chosen) {
    const startedAt = performance.now()
    try {
      lines.push(...(await measure(bench)))
    } catch (error) {
      failures++
      console.error(`${name} failed:`, error)
      lines.push(missingLine(name, 'the measurement failed'))
    }
    bench.scratch.empty()
    console.error(`${name} took ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
  return { lines, failures }
}

async function runBenchmark(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      renew: { type: 'boolean', default: false },
    },
  })
  const [loadBefore = 0] = loadavg()
  const chosen = chooseRows(values.only)
  await runCommand(process.execPath, [join(root, 'bin/build.mjs')], { cwd: root })
  // Ending through `exit` takes the servers along.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const scratch = createScratch(values.quick ? QUICK_RUN_BYTES : FULL_RUN_BYTES)
  process.once('exit', scratch.remove)
  const cacheFolder = fileURLToPath(new URL('.cache', import.meta.url))
  const load = createLoadClient({ cacheFolder })
  const bench = {
    scratch,
    cacheFolder,
    load,
    isQuick: values.quick,
    rounds: values.quick ? 1 : FULL_ROUNDS,
  }
  const { lines, failures } = await measureRows(bench, chosen)
  console.log(plainTable(lines))
  const path = join(root, 'docs/benchmarks.md')
  if (values.renew && !values.quick) {
    writeFileSync(path, renewLines(readFileSync(path, 'utf8'), lines, new Date()))
  } else if (!values.quick && values.only === undefined) {
    const document = benchmarkDocument({
      lines,
      medium: scratch.medium,
      clientLanguage: load.language,
      rounds: bench.rounds,
      measuredAt: new Date(),
      loadBefore,
    })
    writeFileSync(path, document)
  }
  if (failures > 0) process.exitCode = 1
}

await runBenchmark()
