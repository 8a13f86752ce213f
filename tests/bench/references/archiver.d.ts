declare module 'archiver' {
  import type { Readable } from 'node:stream'

  /** The part of archiver 8 the benchmark uses. */
  export class ZipArchive extends Readable {
    constructor(options: { store?: boolean; zlib?: { level: number } })
    file(path: string, entry: { name: string }): this
    finalize(): Promise<void>
  }
}
