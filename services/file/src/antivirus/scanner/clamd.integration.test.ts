import { type AddressInfo, createServer, type Server } from 'node:net'
import { type ClamdServer, infectedText, startClamdServer, THREAT } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createZip } from '../../testing/small-zip.ts'
import { scanBytes, type ScanOptions } from './clamd.ts'

let clamd: ClamdServer
beforeAll(async () => {
  clamd = await startClamdServer({ settings: ['StreamMaxLength 1M'] })
})
afterAll(() => clamd.close())

const infected = { state: 'infected', threat: `${THREAT}.UNOFFICIAL` }

function scan(bytes: Buffer, options: Partial<ScanOptions> = {}, address: Address = clamd) {
  const { signal } = new AbortController()
  return scanBytes(address, readerOf(bytes), { sizeBytes: bytes.length, signal, ...options })
}
type Address = Parameters<typeof scanBytes>[0]

function readerOf(bytes: Buffer) {
  return { read: async (buffer: Uint8Array, position: number) => bytes.copy(buffer, 0, position) }
}

describe('clamd', () => {
  it('finds what is infected, also in an archive and behind many chunks', async () => {
    expect(await scan(Buffer.from(infectedText))).toEqual(infected)
    expect(await scan(createZip('a.txt', Buffer.from(infectedText)))).toEqual(infected)
    const late = Buffer.concat([Buffer.alloc(700_000, 'a'), Buffer.from(infectedText)])
    expect(await scan(late)).toEqual(infected)
  })

  it('finds nothing in what is clean or empty', async () => {
    expect(await scan(Buffer.alloc(900_000, 'clean'))).toEqual({ state: 'clean' })
    expect(await scan(Buffer.alloc(0))).toEqual({ state: 'clean' })
  })

  it('is asked by its socket too', async () => {
    const address = { host: clamd.socketPath, port: 0 }
    expect(await scan(Buffer.from(infectedText), {}, address)).toEqual(infected)
  })

  it('says of what is longer than it takes that it is too big, and never that it is clean', async () => {
    expect(await scan(Buffer.alloc(3_000_000))).toEqual({ state: 'too_big' })
    const limited = await startClamdServer({ settings: ['MaxFileSize 10K', 'MaxScanSize 20K'] })
    expect(await scan(Buffer.alloc(50_000, 'x'), {}, limited)).toEqual({ state: 'too_big' })
    await limited.close()
  })

  it('answers twenty at once, each its own', async () => {
    const wanted = Array.from({ length: 20 }, (_, index) => index % 2 === 0)
    const found = await Promise.all(
      wanted.map((isInfected) => scan(Buffer.from(isInfected ? infectedText : 'harmless'))),
    )
    expect(found.map(({ state }) => state === 'infected')).toEqual(wanted)
  })
})

describe('a scan fails, and says nothing of the bytes,', () => {
  it('where nothing listens: clamd is away', async () => {
    await clamd.stop()
    await expect(scan(Buffer.from('a'))).rejects.toMatchObject({ isAway: true })
    await clamd.start()
  })

  it('where clamd is killed in the middle', async () => {
    clamd.freeze()
    const bytes = Buffer.alloc(1_000_000)
    let isHalfway: () => void = () => undefined
    const halfway = new Promise<void>((resolve) => (isHalfway = resolve))
    const reader = {
      read: async (buffer: Uint8Array, position: number) => {
        if (position > 0) isHalfway()
        return bytes.copy(buffer, 0, position)
      },
    }
    const { signal } = new AbortController()
    const scanned = scanBytes(clamd, reader, { sizeBytes: bytes.length, signal })
    const failed = expect(scanned).rejects.toMatchObject({ isAway: false })
    await halfway
    await clamd.stop()
    await failed
    await clamd.start()
  })

  it('where clamd is silent for too long', async () => {
    clamd.freeze()
    await expect(scan(Buffer.from('a'), { silenceMs: 50 })).rejects.toThrow('silent')
    clamd.thaw()
  })

  it('where fewer bytes are stored than the file has', async () => {
    await expect(scan(Buffer.from('ab'), { sizeBytes: 3 })).rejects.toThrow('2 of 3 bytes')
  })

  it.each([
    ['an error', 'stream: Can not open file ERROR\0', 'clamd answered'],
    ['an answer that was cut', 'stream: OK', 'without an answer'],
    ['no answer', '', 'without an answer'],
    ['another language', 'HTTP/1.1 400 Bad Request\0', 'clamd answered'],
  ])('where the answer is %s', async (_what, answer, reason) => {
    const server = await answering(answer)
    const { port } = server.address() as AddressInfo
    await expect(scan(Buffer.from('a'), {}, { host: '127.0.0.1', port })).rejects.toThrow(reason)
    await new Promise((resolve) => server.close(resolve))
  })

  it('where it is given up', async () => {
    clamd.freeze()
    const controller = new AbortController()
    const scanned = scan(Buffer.from('a'), { signal: controller.signal })
    controller.abort(new Error('given up'))
    await expect(scanned).rejects.toThrow('given up')
    clamd.thaw()
  })
})

/** Says the same to everybody once all has come. */
async function answering(answer: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('data', (part) => {
      if (part.subarray(-4).equals(Buffer.alloc(4))) socket.end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
