import { randomBytes } from 'node:crypto'
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import type { Bench, Row } from '../bench.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { filePaths, fillShare, signUp } from '../floe/session.ts'
import { runCommand } from '../harness/process.ts'
import { compareLine, missingLine, type Line } from '../harness/report.ts'
import { runRounds, type Contender } from '../harness/statistics.ts'
import { createTransferLog, logTransfer, MiB, type TransferLog } from '../harness/transfers.ts'
import { startNodeReference } from '../references/node-reference.ts'

const FILES = 8

interface Entry extends Contender {
  log: TransferLog
}

function writeFiles(folder: string, fileBytes: number): void {
  const block = randomBytes(MiB)
  for (let file = 0; file < FILES; file++) {
    for (let written = 0; written < fileBytes; written += block.length) {
      appendFileSync(join(folder, `file-${file}.bin`), block)
    }
  }
}

/** Info-zip through a pipe, as a program that serves archives would run it. */
async function zipThroughPipe({ load }: Bench, folder: string) {
  const quoted = load.drainCommand.map((part) => `'${part}'`).join(' ')
  const command = `zip -0 -q -j - ${readdirSync(folder).join(' ')} | ${quoted}`
  const output = await runCommand('sh', ['-c', command], { cwd: folder })
  return JSON.parse(output) as { seconds: number; firstByteMs: number; bytes: number }
}

function hasZip(): boolean {
  return spawnSync('zip', ['-v'], { stdio: 'ignore' }).status === 0
}

async function measureArchive(bench: Bench): Promise<Line[]> {
  const { scratch, load, isQuick, rounds } = bench
  const fileBytes = (isQuick ? 8 : 128) * MiB
  const payloadBytes = FILES * fileBytes
  const folder = scratch.folder('archive')
  writeFiles(folder, fileBytes)
  const archiver = await startNodeReference(scratch, 'archiver', 'archiver 8.0.0', {
    FOLDER: folder,
  })
  const floe = await startFloe(scratch)
  try {
    const session = await signUp(floe)
    const read = (
      name: string,
      { port, pid }: { port: number; pid: number },
      paths: string[],
      headers: string[],
    ): Entry => {
      const log = createTransferLog(name)
      const untilClose = port === archiver.port
      const run = () =>
        logTransfer(log, { pid, payloadBytes }, () =>
          load.read({ port, paths, sizeBytes: payloadBytes, headers, untilClose }),
        )
      return { name, log, run }
    }
    const many = await fillShare(session, load, Array<number>(FILES).fill(fileBytes))
    const one = await fillShare(session, load, [payloadBytes])
    const zipPaths = [`/api/shares/${many}/files/zip`]
    const ours = read('Floe', floe, zipPaths, [`Cookie: ${await session.openShare(many)}`])
    const plain = read('the same bytes as one file', floe, await filePaths(session, one), [
      `Cookie: ${await session.openShare(one)}`,
    ])
    const node = read(archiver.name, archiver, ['/'], [])
    const zipLog = createTransferLog('zip -0')
    const zip: Entry = {
      name: 'zip -0',
      log: zipLog,
      run: async () => {
        const moved = await zipThroughPipe(bench, folder)
        zipLog.mbPerSecond.push(payloadBytes / moved.seconds / 1e6)
      },
    }
    await waitUntilQuiet(floe)
    const entries = [ours, plain, node, ...(hasZip() ? [zip] : [])]
    await runRounds(1, entries) // Warms up.
    for (const { log } of entries) log.mbPerSecond = []
    await runRounds(rounds, entries)
    return [versus(ours, plain, 0.8), versus(ours, node, 6), versus(ours, zip, 6)]
  } finally {
    await floe.stop()
    await archiver.stop()
    rmSync(folder, { recursive: true })
  }
}

function versus(ours: Entry, theirs: Entry, atLeast: number): Line {
  const what = `Download all, level 0, ${FILES} files, to ${theirs.name}`
  if (theirs.log.mbPerSecond.length === 0) return missingLine(what, `${theirs.name} is not here`)
  return compareLine({
    what,
    ours: ours.log.mbPerSecond,
    theirs: { name: theirs.name, values: theirs.log.mbPerSecond },
    unit: 'MB/s',
    atLeast,
  })
}

export const archiveRow: Row = { name: 'archive', measure: measureArchive }
