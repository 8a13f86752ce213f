import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { encryptStream, type FloeEncryption } from '@floe/aead'
import { createBlocks, type ManifestFile } from '@floe/encryption'
import { CliError } from '../failures.ts'
import type { LocalFile } from './local-files.ts'
import { becameSmaller, type OutgoingFile } from './outgoing-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Encrypted in one go and held until the server has it: a segment made again has other bytes. */
const BLOCK_BYTES = 8 * 2 ** 20

/** A file whose ciphertext travels, under the id that stands for it. */
export interface EncryptedFile extends OutgoingFile {
  /** As the manifest names it; what was not read yet is read for it. */
  describe(): Promise<ManifestFile>
}

export function encryptedFile(
  file: LocalFile,
  { id, encryption }: { id: string; encryption: FloeEncryption },
): EncryptedFile {
  const digests = new DigestsOfFile(file)
  const blocks = createBlocks(encryption, file.sizeBytes, async ({ start, end }) => {
    const handle = await open(file.path)
    try {
      const text = await readExactly(handle, file, { offset: start, sizeBytes: end - start })
      digests.add(text, start)
      return text
    } finally {
      await handle.close()
    }
  })
  let block: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  return {
    path: file.path,
    modifiedMs: file.modifiedMs,
    name: id,
    sizeBytes: blocks.cipherBytes,
    readWhole: async () => toBuffer(await blocks.encrypt(0, Infinity)),
    async readPiece(offset, mostBytes) {
      const isHeld = offset >= block.start && offset < block.start + block.bytes.length
      if (!isHeld) {
        if (blocks.textBytesBefore(offset) === null)
          throw new CliError(`${file.path}: what was sent cannot be gone on with. Send it again.`)
        const bytes = await blocks.encrypt(offset, Math.min(BLOCK_BYTES, mostBytes))
        block = { start: offset, bytes: toBuffer(bytes) }
      }
      const from = offset - block.start
      const body = block.bytes.subarray(from, from + mostBytes)
      return {
        sizeBytes: body.length,
        body,
        // A part of a segment that outlives this process would be of no use to the next one.
        isWholeOnly: body.length === block.bytes.length,
        close: async () => undefined,
      }
    },
    // Nobody but who holds the key of the share could have sent anything for this id.
    beginsLike: async (offset) => blocks.textBytesBefore(offset) !== null,
    async describe() {
      const { name, sizeBytes: size, modifiedMs: modified } = file
      return { id, name, size, modified, ...(await digests.finish()) }
    },
  }
}

/** What comes through a pipe; its description is known at its end. */
export interface EncryptedPipe {
  source: AsyncIterable<Uint8Array>
  describe(): ManifestFile
}

export function encryptedPipe(
  { name, source }: { name: string; source: AsyncIterable<Uint8Array> },
  { id, encryption }: { id: string; encryption: FloeEncryption },
): EncryptedPipe {
  const digests = new Digests()
  const watched = async function* () {
    for await (const text of source) {
      digests.update(text)
      yield text
    }
  }
  return {
    source: ReadableStream.from(watched()).pipeThrough(encryptStream(encryption)),
    describe: () => ({ id, name, size: digests.readBytes, ...digests.result() }),
  }
}

/** Of plain bytes. */
class Digests {
  readonly #sha256: Hash = createHash('sha256')
  #crc32 = 0
  #readBytes = 0

  get readBytes(): number {
    return this.#readBytes
  }

  update(text: Uint8Array): void {
    this.#sha256.update(text)
    this.#crc32 = crc32(text, this.#crc32)
    this.#readBytes += text.length
  }

  result(): { crc32: string; sha256: string } {
    return {
      crc32: this.#crc32.toString(16).padStart(8, '0'),
      sha256: this.#sha256.copy().digest('hex'),
    }
  }
}

/**
 * Bytes come in order, except where a run goes on or a piece is sent again. What they did not see
 * is read at the end, once: a sender that is broken off often would read the beginning each time.
 */
class DigestsOfFile {
  readonly #file: LocalFile
  readonly #digests = new Digests()

  constructor(file: LocalFile) {
    this.#file = file
  }

  add(text: Uint8Array, offset: number): void {
    if (offset === this.#digests.readBytes) this.#digests.update(text)
  }

  async finish(): Promise<{ crc32: string; sha256: string }> {
    await this.#readUntil(this.#file.sizeBytes)
    return this.#digests.result()
  }

  async #readUntil(end: number): Promise<void> {
    if (this.#digests.readBytes >= end) return
    const handle = await open(this.#file.path)
    try {
      while (this.#digests.readBytes < end) {
        const offset = this.#digests.readBytes
        const sizeBytes = Math.min(2 ** 20, end - offset)
        this.#digests.update(await readExactly(handle, this.#file, { offset, sizeBytes }))
      }
    } finally {
      await handle.close()
    }
  }
}

function toBuffer({ buffer, byteOffset, length }: Bytes): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

async function readExactly(
  handle: FileHandle,
  file: LocalFile,
  { offset, sizeBytes }: { offset: number; sizeBytes: number },
): Promise<Bytes> {
  const text = new Uint8Array(sizeBytes)
  let done = 0
  while (done < sizeBytes) {
    const { bytesRead } = await handle.read(text, done, sizeBytes - done, offset + done)
    if (bytesRead === 0) throw becameSmaller(file)
    done += bytesRead
  }
  return text
}
