import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { blackPng } from '@floe/testing'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import sharp from 'sharp'
import { createThumbnailer, type Thumbnail, type Thumbnailer } from './index.ts'

const run = promisify(execFile)
const never = new AbortController().signal

interface Opened {
  thumbnailer: Thumbnailer
  pids: number[]
  warnings: string[]
}

function create(options: { timeoutMs?: number; idleMs?: number } = {}): Opened {
  const pids: number[] = []
  const warnings: string[] = []
  const thumbnailer = createThumbnailer({
    log: {
      debug: (fields) => pids.push((fields as { pid: number }).pid),
      warn: (_fields, message) => warnings.push(message),
    },
    ...options,
  })
  return { thumbnailer, pids, warnings }
}

async function close({ thumbnailer, pids }: Opened): Promise<void> {
  await thumbnailer.stop()
  expect(pids.filter(isAlive)).toEqual([])
}

/** For tests that look at pictures and not at the process that makes them. */
const common = create()
afterAll(() => close(common))

const started: Opened[] = []
afterEach(async () => {
  for (const one of started.splice(0)) await close(one)
})

/** Ends with its test. */
function open(options: { timeoutMs?: number; idleMs?: number } = {}): Opened {
  const opened = create(options)
  started.push(opened)
  return opened
}

function sourceOf(
  bytes: Buffer,
  beforeRead: (position: number) => Promise<void> | void = () => {},
) {
  return {
    sizeBytes: bytes.length,
    read: async (buffer: Uint8Array, position: number) => {
      await beforeRead(position)
      return bytes.copy(buffer, 0, position, position + buffer.length)
    },
  }
}

const make = (thumbnailer: Thumbnailer, bytes: Buffer) =>
  thumbnailer.make(sourceOf(bytes), { signal: never })

async function thumbnailOf(bytes: Buffer, thumbnailer = common.thumbnailer): Promise<Thumbnail> {
  const outcome = await make(thumbnailer, bytes)
  if (outcome.state !== 'made') throw new Error(`${outcome.state}: ${outcome.reason}`)
  return outcome.thumbnail
}

const red = { r: 220, g: 30, b: 30 }
const blue = { r: 30, g: 30, b: 220 }

/** Red on its left half, blue on its right. */
function paint(width = 900, height = 600) {
  const half = { width: Math.ceil(width / 2), height, channels: 3 as const, background: blue }
  return sharp({ create: { width, height, channels: 3, background: red } }).composite([
    { input: { create: half }, left: Math.floor(width / 2), top: 0 },
  ])
}

async function colourAt(bytes: Uint8Array, left: number, top: number): Promise<'red' | 'blue'> {
  const pixel = { left, top, width: 1, height: 1 }
  const [r = 0, , b = 0] = await sharp(bytes).removeAlpha().extract(pixel).raw().toBuffer()
  return r > b ? 'red' : 'blue'
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it.each(['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const)(
  'makes a WebP of a %s that fits the square and keeps the shape',
  async (format) => {
    const { bytes, width, height } = await thumbnailOf(await paint().toFormat(format).toBuffer())
    expect({ width, height }).toEqual({ width: 480, height: 320 })
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height })
    expect(await colourAt(bytes, 20, 160)).toBe('red')
    expect(await colourAt(bytes, 460, 160)).toBe('blue')
  },
)

it('leaves small pictures at their size', async () => {
  const { width, height } = await thumbnailOf(await paint(40, 20).png().toBuffer())
  expect({ width, height }).toEqual({ width: 40, height: 20 })
})

it('turns photographs upright and leaves out where they were taken', async () => {
  const photograph = await paint()
    .withExif({ IFD0: { Model: 'Camera' }, IFD3: { GPSLatitude: '54/1 7/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(await sharp(photograph).metadata()).toMatchObject({ orientation: 6 })
  expect(photograph.includes('Exif')).toBe(true)
  const { bytes, width, height } = await thumbnailOf(photograph)
  expect({ width, height }).toEqual({ width: 320, height: 480 })
  // A quarter turn to the right: what was left is now above.
  expect(await colourAt(bytes, 160, 20)).toBe('red')
  expect(await colourAt(bytes, 160, 460)).toBe('blue')
  const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata()
  expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
})

it('shows the first frame of an animation alone', async () => {
  const first = await paint().png().toBuffer()
  const frames = [first, await sharp(first).flop().png().toBuffer()]
  const animation = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  expect((await sharp(animation).metadata()).pages).toBe(2)
  const { bytes } = await thumbnailOf(animation)
  expect((await sharp(bytes).metadata()).pages).toBeUndefined()
  expect(await colourAt(bytes, 20, 160)).toBe('red')
})

it('refuses a small file that unpacks into too many pixels', async () => {
  const bomb = blackPng(30_000, 30_000)
  expect(bomb.length).toBeLessThan(1_000_000)
  const { thumbnailer, pids } = open()
  expect(await make(thumbnailer, bomb)).toMatchObject({
    state: 'refused',
    reason: expect.stringContaining('pixel limit'),
  })
  expect((await thumbnailOf(await paint().png().toBuffer(), thumbnailer)).width).toBe(480)
  expect(pids).toHaveLength(1)
})

const hostile: Record<string, () => Buffer | Promise<Buffer>> = {
  'an SVG': () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  'a text': () => Buffer.from('This is not a picture at all.\n'.repeat(100)),
  'an empty file': () => Buffer.alloc(0),
  'a JPEG that ends early': async () => {
    const whole = await noisy().jpeg().toBuffer()
    return whole.subarray(0, whole.length / 2)
  },
  'a PNG that ends early': async () => {
    const whole = await noisy().png().toBuffer()
    return whole.subarray(0, whole.length / 2)
  },
  'a PDF': () => Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'),
  'a netpbm image': () => Buffer.concat([Buffer.from('P6\n2 2\n255\n'), Buffer.alloc(12)]),
}

function noisy() {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  return sharp({ create: { width: 600, height: 400, channels: 3, background: red, noise } })
}

it.each(Object.keys(hostile))('refuses %s, whatever it is called', async (kind) => {
  const bytes = (await hostile[kind]?.()) ?? Buffer.alloc(0)
  expect((await make(common.thumbnailer, bytes)).state).toBe('refused')
})

it('has an outcome for every file that was tampered with', async () => {
  const { thumbnailer } = open()
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const) {
    const whole = await noisy().resize(90).toFormat(format).toBuffer()
    for (let turn = 0; turn < 12; turn++) {
      const bytes = Buffer.from(whole)
      // The same bytes in every run: a step that no format's blocks have.
      for (let at = 7 + turn * 3; at < bytes.length; at += 97) bytes[at] = (at * 31 + turn) & 0xff
      expect(['made', 'refused', 'lost']).toContain((await make(thumbnailer, bytes)).state)
    }
  }
  expect((await thumbnailOf(await paint().png().toBuffer(), thumbnailer)).width).toBe(480)
})

it('survives the death of its process and makes the next picture in another', async () => {
  const { thumbnailer, pids } = open()
  const picture = await paint().png().toBuffer()
  const outcome = await thumbnailer.make(
    sourceOf(picture, () => {
      process.kill(pids.at(-1) ?? 0, 'SIGKILL')
    }),
    { signal: never },
  )
  expect(outcome.state).toBe('lost')
  expect((await thumbnailOf(picture, thumbnailer)).width).toBe(480)
  expect(pids).toHaveLength(2)
})

it('kills what takes too long', async () => {
  const { thumbnailer, pids } = open({ timeoutMs: 1 })
  expect(await make(thumbnailer, blackPng(9_000, 9_000))).toEqual({
    state: 'lost',
    reason: 'it took too long',
  })
  expect(pids.filter(isAlive)).toEqual([])
})

it('refuses what needs more memory than it is given', async () => {
  const { thumbnailer, pids } = open()
  // Interlaced, so that all of its pixels are needed at once.
  const width = 9_990
  const picture = await sharp({
    create: { width, height: width, channels: 4, background: { ...red, alpha: 0.5 } },
  })
    .toColourspace('rgb16')
    .png({ progressive: true, compressionLevel: 1 })
    .toBuffer()
  expect(await make(thumbnailer, picture)).toEqual({
    state: 'refused',
    reason: 'it needs too much memory',
  })
  expect(pids.filter(isAlive)).toEqual([])
}, 60_000)

it('gives the process up once nothing more comes', async () => {
  const { thumbnailer, pids } = open({ idleMs: 50 })
  await thumbnailOf(await paint().png().toBuffer(), thumbnailer)
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 5_000)
})

it('lets the process see nothing of our environment', async () => {
  const { thumbnailer, pids } = open()
  process.env['FLOE_TEST_SECRET'] = 'sesame'
  await thumbnailOf(await paint().png().toBuffer(), thumbnailer)
  const { stdout } = await run('ps', ['eww', '-o', 'command=', '-p', String(pids[0])])
  delete process.env['FLOE_TEST_SECRET']
  expect(stdout).toContain('decode-process')
  expect(stdout).not.toContain('sesame')
})

it('makes the pictures that are asked for at once one after another, in one process', async () => {
  const { thumbnailer, pids } = open()
  const sizes = [100, 200, 300, 400]
  const made = await Promise.all(
    sizes.map(async (size) => thumbnailOf(await paint(size, size).jpeg().toBuffer(), thumbnailer)),
  )
  expect(made.map(({ width }) => width)).toEqual(sizes)
  expect(pids).toHaveLength(1)
})

it('fails as the reading does, and goes on with the next', async () => {
  const { thumbnailer } = open()
  const picture = await noisy().png({ compressionLevel: 0 }).toBuffer()
  const broken = sourceOf(picture, (position) => {
    if (position > 0) throw new Error('the disk is away')
  })
  await expect(thumbnailer.make(broken, { signal: never })).rejects.toThrow('the disk is away')
  expect((await thumbnailOf(picture, thumbnailer)).width).toBe(480)
})

it('ends at once when it is told to, with the reason', async () => {
  const { thumbnailer } = open()
  const abort = new AbortController()
  const picture = await noisy().png({ compressionLevel: 0 }).toBuffer()
  const source = sourceOf(picture, () => abort.abort(new Error('stopping')))
  await expect(thumbnailer.make(source, { signal: abort.signal })).rejects.toThrow('stopping')
})
