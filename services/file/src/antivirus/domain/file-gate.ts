import type { AdminPort, FileScan, ScanState } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { HandOff, HandOffHeaders, ObjectKey, ObjectReader, ReadSpan } from '@floe/storage'

declare const isServed: unique symbol

/** The key of bytes that somebody may be given. Only the gate makes one. */
export type ServedKey = ObjectKey & { readonly [isServed]: true }

/** The objects, as far as they are given to people: each key has been through the gate. */
export interface ServedObjects {
  openReader(key: ServedKey, span?: ReadSpan): Promise<ObjectReader>
  handOff(key: ServedKey, headers: HandOffHeaders): Promise<HandOff | null>
}

/** A file, or what is made of its bytes alone, and what is known of viruses in them. */
export interface Scanned {
  objectKey: ObjectKey
  scan: FileScan
}

export type Served<F extends Scanned> = F & {
  readonly objectKey: ServedKey
  /** What is made of its bytes, such as a segment of an archive. */
  serve(derived: ObjectKey): ServedKey
}

/**
 * The one way from a stored file to bytes that somebody gets, its owner included. What is known to be
 * infected passes nowhere; what was not scanned passes where nothing is held.
 */
export interface FileGate {
  /** Fails with file_infected, file_not_scanned, file_too_big_to_scan. */
  admit<F extends Scanned>(file: F): Promise<Served<F>>
  /**
   * Those of a whole that pass: the others are no part of it. Fails with file_not_scanned while one
   * still waits, and as `admit` does where none of them passes.
   */
  sift<F extends Scanned>(files: readonly F[]): Promise<Served<F>[]>
  /** Another text whenever others may pass, though nothing changed of the files. */
  terms(): Promise<string>
  /** Which states are waited for until a share opens. */
  awaited(): Promise<readonly ScanState[]>
  /** What is told of a file; undefined where nothing is scanned. */
  describe(scan: FileScan): FileScan | undefined
}

export interface FileGateDependencies {
  /** Whether there is a scanner. */
  scans: boolean
  admin: Pick<AdminPort, 'settings'>
}

export const refusals = ['file_infected', 'file_not_scanned', 'file_too_big_to_scan'] as const
type Refusal = (typeof refusals)[number]

const retryAfterSeconds = 5

export function createFileGate({ scans, admin }: FileGateDependencies): FileGate {
  /** What is refused beside what is infected. */
  async function findRefused(): Promise<Partial<Record<ScanState, Refusal>>> {
    if (!scans) return {}
    const settings = await admin.settings({})
    if (settings['antivirus.policy'] === 'mark') return {}
    return {
      not_scanned: 'file_not_scanned',
      failed: 'file_not_scanned',
      ...(!settings['antivirus.allowTooBig'] && { too_big: 'file_too_big_to_scan' }),
    }
  }

  async function judge(): Promise<(scan: FileScan) => Refusal | null> {
    const refused = await findRefused()
    return ({ state }) => (state === 'infected' ? 'file_infected' : (refused[state] ?? null))
  }

  return {
    admit: async (file) => {
      const refusal = (await judge())(file.scan)
      if (refusal !== null) throw refuse(refusal)
      return serve(file)
    },

    sift: async (files) => {
      const refusalOf = await judge()
      const judged = files.map((file) => ({ file, refusal: refusalOf(file.scan) }))
      if (judged.some(({ refusal }) => refusal === 'file_not_scanned')) {
        throw refuse('file_not_scanned')
      }
      const served = judged.flatMap(({ file, refusal }) => (refusal === null ? serve(file) : []))
      const [first] = judged
      if (served.length === 0 && first?.refusal) throw refuse(first.refusal)
      return served
    },

    terms: async () => Object.keys(await findRefused()).join(),

    awaited: async () => {
      const refused = await findRefused()
      return (['not_scanned', 'failed'] as const).filter((state) => refused[state] !== undefined)
    },

    describe: (scan) => (scans || scan.state === 'infected' ? scan : undefined),
  }
}

function refuse(code: Refusal): AppError {
  return new AppError(code, code === 'file_not_scanned' ? { retryAfterSeconds } : {})
}

function serve<F extends Scanned>(file: F): Served<F> {
  return { ...file, objectKey: pass(file.objectKey), serve: pass }
}

/** The one place where such a key is made. */
function pass(key: ObjectKey): ServedKey {
  return key as ServedKey
}
