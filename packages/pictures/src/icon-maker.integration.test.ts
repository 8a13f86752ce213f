import { badLogos, blackPng, colourPng } from '@floe/testing'
import sharp from 'sharp'
import { afterEach, expect, it, vi } from 'vitest'
import { createIconMaker, type Icon, type IconMaker } from './index.ts'

const started: { maker: IconMaker; pids: number[] }[] = []

function open(options: { idleMs?: number } = {}) {
  const pids: number[] = []
  const maker = createIconMaker({
    log: {
      debug: (fields) => pids.push((fields as { pid: number }).pid),
      warn: (fields, message) => {
        throw new Error(`${message}: ${JSON.stringify(fields)}`)
      },
    },
    ...options,
  })
  const opened = { maker, pids }
  started.push(opened)
  return opened
}

afterEach(async () => {
  for (const { maker, pids } of started.splice(0)) {
    await maker.stop()
    expect(pids.filter(isAlive)).toEqual([])
  }
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function iconsOf(png: Buffer): Promise<Icon[]> {
  const outcome = await open().maker.make(png)
  if (outcome.state !== 'made') throw new Error(JSON.stringify(outcome))
  return outcome.icons
}

function iconAt(icons: readonly Icon[], path: string): Buffer {
  const icon = icons.find((one) => one.path === path)
  if (!icon) throw new Error(`no ${path}`)
  return Buffer.from(icon.bytes)
}

const red = { r: 220, g: 30, b: 30 }

it('makes every icon of a logo, square and without what came with it', async () => {
  const logo = await sharp({ create: { width: 300, height: 300, channels: 4, background: red } })
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .png()
    .toBuffer()
  expect(logo.includes('somebody')).toBe(true)
  const icons = await iconsOf(logo)
  const edges: Record<string, number | undefined> = {}
  for (const { path, bytes } of icons.filter((one) => one.path.endsWith('.png'))) {
    const { format, width, height, exif, icc } = await sharp(bytes).metadata()
    expect({ format, height, exif, icc }, path).toEqual({ format: 'png', height: width })
    edges[path] = width
  }
  expect(edges).toEqual({
    'img/logo.png': 512,
    'img/icons/icon-48x48.png': 48,
    'img/icons/icon-72x72.png': 72,
    'img/icons/icon-96x96.png': 96,
    'img/icons/icon-128x128.png': 128,
    'img/icons/icon-144x144.png': 144,
    'img/icons/icon-152x152.png': 152,
    'img/icons/icon-192x192.png': 192,
    'img/icons/icon-384x384.png': 384,
    'img/icons/icon-512x512.png': 512,
    'img/icons/apple-touch-icon.png': 180,
    'img/icons/icon-maskable-512x512.png': 512,
  })
})

it('makes a favicon of three sizes', async () => {
  const ico = iconAt(await iconsOf(colourPng(64, [220, 30, 30])), 'favicon.ico')
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 3])
  for (const [index, edge] of [16, 32, 48].entries()) {
    const entry = ico.subarray(6 + 16 * index)
    expect([entry[0], entry[1]]).toEqual([edge, edge])
    const start = entry.readUInt32LE(12)
    const png = ico.subarray(start, start + entry.readUInt32LE(8))
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: edge, height: edge })
  }
})

it('keeps what is transparent, but where a device would fill it', async () => {
  const clear = { ...red, alpha: 0 }
  const logo = await sharp({ create: { width: 64, height: 64, channels: 4, background: clear } })
    .png()
    .toBuffer()
  const icons = await iconsOf(logo)
  const cornerOf = async (path: string) => [
    ...(await sharp(iconAt(icons, path)).ensureAlpha().raw().toBuffer()).subarray(0, 4),
  ]
  expect((await cornerOf('img/logo.png'))[3]).toBe(0)
  expect(await cornerOf('img/icons/apple-touch-icon.png')).toEqual([255, 255, 255, 255])
  expect(await cornerOf('img/icons/icon-maskable-512x512.png')).toEqual([255, 255, 255, 255])
})

it.each([1, 16, 4_096])('takes a logo of %d pixels a side, interlaced or not', async (edge) => {
  expect(await iconsOf(blackPng(edge, edge))).toHaveLength(13)
  const interlaced = await sharp(blackPng(edge, edge)).png({ progressive: true }).toBuffer()
  expect(await iconsOf(interlaced)).toHaveLength(13)
})

it.each([...badLogos])('refuses $what', async ({ code, make }) => {
  const { maker } = open()
  const fault = code.replace(/^logo_/, '')
  expect(await maker.make(make())).toEqual({ state: 'refused', fault })
})

it('asks no process about what its header tells', async () => {
  const { maker, pids } = open()
  for (const { code, make } of badLogos) {
    if (code !== 'logo_damaged') await maker.make(make())
  }
  expect(pids).toEqual([])
})

it('has an outcome for every logo that was tampered with', async () => {
  const whole = await sharp(colourPng(90, [1, 200, 99]))
    .png({ progressive: true })
    .toBuffer()
  const { maker } = open()
  for (let turn = 0; turn < 40; turn++) {
    const bytes = Buffer.from(whole)
    for (let at = 8 + turn; at < bytes.length; at += 43) bytes[at] = (at * 31 + turn) & 0xff
    expect(['made', 'refused']).toContain((await maker.make(bytes)).state)
  }
  expect((await maker.make(whole)).state).toBe('made')
})

it('gives the process up once nothing more comes', async () => {
  const { maker, pids } = open({ idleMs: 50 })
  await maker.make(blackPng(64, 64))
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 5_000)
})
