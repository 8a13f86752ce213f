import { writePrefixChecksum } from '@floe/contracts'
import { encryptedBytes } from '@floe/encryption'
import { sendPiece } from './piece-request.ts'
import { createPieces } from './pieces.ts'
import { createSealer, type Sealer, type SealOrder } from './sealer.ts'
import type { SealedPiece, SealMessage, SealRequest, SendMessage } from './sealing.ts'

/**
 * Takes one file. What is made of it is sent from here: the page, which has little to do meanwhile,
 * collects its garbage too seldom, and Chromium keeps what a `Blob` has until then, 2 GiB at most.
 */
function createSource(sealer: Sealer, { file, segmentBytes }: SealOrder) {
  async function makeBlock(offset: number, mostBytes: number) {
    const { crc32, ...block } = await sealer.block(offset, mostBytes)
    return { ...block, checksum: writePrefixChecksum(crc32) }
  }
  const pieces = createPieces(makeBlock, encryptedBytes(file.size, segmentBytes))
  let taken = new Blob([])

  async function take(offset: number, mostBytes: number): Promise<SealedPiece> {
    const { body, checksum, block, blockOffset } = await pieces.take(offset, mostBytes)
    taken = body
    const { header, text, digests, body: whole } = block
    return { size: body.size, checksum, end: blockOffset + whole.size, header, text, digests }
  }

  /** With what is given away together with the response. */
  async function respond(request: SealRequest): Promise<[unknown, ...Transferable[]]> {
    if (request.kind === 'piece') return [await take(request.offset, request.mostBytes)]
    if (request.kind === 'readOn') return [await sealer.readOn(request.toBytes)]
    if (request.kind === 'finish') return [await sealer.finish()]
    const whole = await sealer.whole()
    return [whole, whole.body.buffer]
  }

  return { respond, taken: () => taken, makeNext: pieces.makeNext }
}

/** Each file has a port of its own, on which one request follows another. */
addEventListener('message', ({ data: order, ports: [port] }: MessageEvent<SealOrder>) => {
  if (port === undefined) return
  const source = createSealer(order).then((sealer) => createSource(sealer, order))
  let turn: Promise<unknown> = Promise.resolve()

  async function send({ request }: SendMessage, events: MessagePort): Promise<void> {
    const { taken, makeNext } = await source
    sendPiece(taken(), request, events)
    // Where it fails, it fails again when it is asked for.
    turn = turn.then(makeNext).catch(() => undefined)
  }

  port.onmessage = ({ data, ports: [events] }: MessageEvent<SealMessage>) => {
    if (data.kind === 'send' && events) void send(data, events)
    else if (data.kind !== 'send')
      turn = turn
        .then(() => source)
        .then(({ respond }) => respond(data))
        .then(([response, ...given]) => port.postMessage(response, given))
        // The file cannot be read: nothing else fails here.
        .catch(() => port.postMessage(null))
  }
})
