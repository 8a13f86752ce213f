import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Page } from 'playwright-core'

const WIDTH = 1280
const HEIGHT = 720
const MS_PER_FRAME = 1_000

export interface Film {
  durationSeconds: number
  sizeBytes: number
}

/**
 * Writes a film of `sizeBytes` or a little more, red in its first half and blue in its second, with
 * an index in front: a WebM (https://www.webmproject.org/docs/container/) of VP8 key frames, one a
 * second. They hold noise, so that the bytes of a second are many, as in a real film.
 */
export async function writeFilm(page: Page, path: string, sizeBytes: number): Promise<Film> {
  const red = await paintFrame(page, [230, 60, 60])
  const blue = await paintFrame(page, [60, 60, 230])
  const count = Math.ceil((2 * sizeBytes) / (red.length + blue.length))
  const frames = Array.from({ length: count }, (_, index) => (index < count / 2 ? red : blue))

  const info = element(
    '1549a966',
    element('2ad7b1', uint(1_000_000)),
    element('4489', float(count * MS_PER_FRAME)),
    element('4d80', Buffer.from('floe')),
    element('5741', Buffer.from('floe')),
  )
  const video = element('e0', element('b0', uint(WIDTH)), element('ba', uint(HEIGHT)))
  const track = [element('d7', uint(1)), element('73c5', uint(1)), element('83', uint(1))]
  const codec = element('86', Buffer.from('V_VP8'))
  const tracks = element('1654ae6b', element('ae', ...track, codec, video))
  const clusters = frames.map((frame, index) => clusterHead(frame, index))
  const cuesOf = (start: number) => {
    let position = start
    const points = clusters.map((head, index) => {
      const place = element('b7', element('f7', uint(1)), element('f1', uint(position)))
      position += head.length + (frames[index]?.length ?? 0)
      return element('bb', element('b3', uint(index * MS_PER_FRAME)), place)
    })
    return element('1c53bb6b', ...points)
  }
  const before = info.length + tracks.length
  // Numbers have a fixed width, so the index is as long wherever the clusters begin.
  const cues = cuesOf(before + cuesOf(0).length)
  const body = frames.reduce((sum, frame, i) => sum + frame.length + (clusters[i]?.length ?? 0), 0)
  const head = Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm')), element('4287', uint(2))),
    elementHead('18538067', before + cues.length + body),
    ...[info, tracks, cues],
  ])

  const file = createWriteStream(path)
  file.write(head)
  for (const [index, frame] of frames.entries()) {
    file.write(clusters[index])
    if (!file.write(frame)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
  return { durationSeconds: (count * MS_PER_FRAME) / 1_000, sizeBytes: head.length + body }
}

/** Everything of a cluster with this one frame but the frame's own bytes. */
function clusterHead(frame: Buffer, index: number): Buffer {
  const time = element('e7', uint(index * MS_PER_FRAME))
  // Track 1, at the cluster's time, a key frame.
  const block = Buffer.from([0x81, 0, 0, 0x80])
  const blockHead = Buffer.concat([elementHead('a3', block.length + frame.length), block])
  const size = time.length + blockHead.length + frame.length
  return Buffer.concat([elementHead('1f43b675', size), time, blockHead])
}

/** A WebP without transparency is a VP8 key frame in a RIFF box. */
async function paintFrame(page: Page, colour: [number, number, number]): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${WIDTH}, height: ${HEIGHT} })
    const context = canvas.getContext('2d', { alpha: false })
    const image = context.createImageData(${WIDTH}, ${HEIGHT})
    let seed = 1
    for (let i = 0; i < image.data.length; i += 4) {
      seed = (seed * 1103515245 + 12345) % 2147483648
      const noise = (seed >> 16) % 61 - 30
      image.data.set([${colour.map((part) => `${part} + noise`).join(', ')}, 255], i)
    }
    context.putImageData(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.9).split(',')[1]
  })()`)
  return chunkOf(Buffer.from(base64, 'base64'), 'VP8 ')
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function chunkOf(webp: Buffer, type: string): Buffer {
  for (let at = 12; at < webp.length;) {
    const length = webp.readUInt32LE(at + 4)
    if (webp.toString('latin1', at, at + 4) === type) return webp.subarray(at + 8, at + 8 + length)
    at += 8 + length + (length % 2)
  }
  throw new Error(`the picture has no ${type}`)
}

function element(id: string, ...parts: Buffer[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([elementHead(id, size), ...parts])
}

/** Sizes take eight bytes throughout. */
function elementHead(id: string, size: number): Buffer {
  const length = uint(size)
  length[0] = 0x01
  return Buffer.concat([Buffer.from(id, 'hex'), length])
}

function uint(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
