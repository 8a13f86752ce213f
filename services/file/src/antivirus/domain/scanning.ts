import type { AdminPort } from '@floe/contracts'
import type { Log } from '@floe/log'
import type { ObjectStore } from '@floe/storage'
import { type ClamdAddress, scanBytes, ScanError } from '../scanner/clamd.ts'
import type { ScanOutcome, ScanStore, UnscannedFile } from './scan-ports.ts'

/** Asks the scanner about files. Ends at once where there is none. */
export interface Scanning {
  /** What of a share was not scanned, the latest first. */
  scanShare(shareUid: string, signal: AbortSignal): Promise<void>
  /** The same for every share. */
  scanAll(signal: AbortSignal): Promise<void>
}

export interface ScanningDependencies {
  clamav: ClamdAddress | null
  scans: ScanStore
  objects: Pick<ObjectStore, 'openReader'>
  admin: Pick<AdminPort, 'settings'>
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** Of one process. clamd has ten threads unless it is told otherwise. */
const AT_ONCE = 4
const SHARES_AT_A_TIME = 500

export function createScanning(dependencies: ScanningDependencies): Scanning {
  const { clamav, scans, admin } = dependencies
  const takeTurn = createTurns(AT_ONCE)
  /** Two runs may come upon the same file. */
  const inHand = new Set<string>()

  /** False where the scanner is away: asking about others is pointless. */
  async function scanFiles(
    address: ClamdAddress,
    files: readonly UnscannedFile[],
    { limitBytes, signal }: { limitBytes: number; signal: AbortSignal },
  ): Promise<boolean> {
    let isAway = false
    await settleAll(
      files.map((file) =>
        takeTurn(async () => {
          if (isAway || inHand.has(file.objectKey)) return
          inHand.add(file.objectKey)
          try {
            signal.throwIfAborted()
            const outcome = await ask(dependencies, address, file, { limitBytes, signal })
            if (outcome === 'away') isAway = true
            else await scans.settle(file, outcome, { limitBytes })
          } finally {
            inHand.delete(file.objectKey)
          }
        }),
      ),
    )
    return !isAway
  }

  async function scanShare(shareUid: string, signal: AbortSignal): Promise<boolean> {
    if (clamav === null) return false
    const { 'antivirus.maxFileSize': limitBytes } = await admin.settings({})
    const files = await scans.listWaiting(shareUid, { limitBytes })
    return scanFiles(clamav, files, { limitBytes, signal })
  }

  return {
    scanShare: async (shareUid, signal) => {
      await scanShare(shareUid, signal)
    },

    scanAll: async (signal) => {
      if (clamav === null) return
      const { 'antivirus.maxFileSize': limitBytes } = await admin.settings({})
      let after: string | null = null
      for (;;) {
        const page = { after, limit: SHARES_AT_A_TIME, limitBytes }
        const shareUids: string[] = await scans.sharesWaiting(page)
        for (const shareUid of shareUids) if (!(await scanShare(shareUid, signal))) return
        after = shareUids.at(-1) ?? null
        if (after === null) return
      }
    },
  }
}

/** Sizes are compared here: clamd calls what is beyond its limits clean, unless it is told otherwise. */
async function ask(
  { objects, log }: ScanningDependencies,
  address: ClamdAddress,
  { shareUid, id: fileId, objectKey, sizeBytes }: UnscannedFile,
  { limitBytes, signal }: { limitBytes: number; signal: AbortSignal },
): Promise<ScanOutcome | 'away'> {
  if (sizeBytes > limitBytes) return { state: 'too_big' }
  try {
    const reader = await objects.openReader(objectKey, { start: 0, end: sizeBytes })
    try {
      const verdict = await scanBytes(address, reader, { sizeBytes, signal })
      if (verdict.state === 'infected') log.warn({ shareUid, fileId, ...verdict }, 'virus found')
      return verdict
    } finally {
      await reader.close()
    }
  } catch (err) {
    signal.throwIfAborted()
    log.error({ err, shareUid, fileId }, 'could not scan a file; will retry')
    return err instanceof ScanError && err.isAway ? 'away' : { state: 'failed' }
  }
}

/** All of them have ended, whatever became of them; fails like the first that did. */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(work)) if (end.status === 'rejected') throw end.reason
}

/** Lets so many run at a time, in the order in which they came. */
function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async function takeTurn(work: () => Promise<void>): Promise<void> {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
