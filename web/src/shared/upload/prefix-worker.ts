import { type Prefix, readOn } from './prefix.ts'

export interface PrefixRequest {
  file: Blob
  known: Prefix
  toBytes: number
}

/** How far it is; null where the file cannot be read. */
export type PrefixMessage = Prefix | null

const post = (message: PrefixMessage) => postMessage(message)

async function read({ file, known, toBytes }: PrefixRequest): Promise<void> {
  for await (const prefix of readOn(file, known, toBytes)) post(prefix)
}

addEventListener('message', ({ data }: MessageEvent<PrefixRequest>) => {
  read(data).catch(() => post(null))
})
