import type { Sharp } from 'sharp'
import type { OpenPicture } from './decode.ts'
import { type Icon, MOST_LOGO_EDGE } from './icons.ts'

/** What the others are made from, and the largest that any of them is. */
const LARGEST = 512
const APPLE_TOUCH = 180
const favicons = [16, 32, 48]
const icons = [48, 72, 96, 128, 144, 152, 192, 384, 512]
/** A device may cut away what lies outside a circle of four fifths of a maskable icon. */
const MASKABLE_PART = 0.6
/** Where a device would put a colour of its own behind what is transparent. */
const white = { r: 255, g: 255, b: 255 }

type Draw = (edge: number) => Sharp

/** Fails, with libvips' own words, where the bytes are no picture or are damaged. */
export async function drawIcons(sharp: OpenPicture, png: Uint8Array): Promise<Icon[]> {
  const { data, info } = await sharp(png, {
    limitInputPixels: MOST_LOGO_EDGE * MOST_LOGO_EDGE,
    failOn: 'error',
    sequentialRead: true,
  })
    .autoOrient()
    .resize(LARGEST, LARGEST, { fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const draw: Draw = (edge) => sharp(data, { raw: { width, height, channels } }).resize(edge, edge)
  return [
    { path: 'favicon.ico', bytes: toIco(await encodeAll(draw, favicons)) },
    { path: 'img/logo.png', bytes: await encode(draw(LARGEST)) },
    ...(await encodeAll(draw, icons)).map(({ edge, bytes }) => ({
      path: `img/icons/icon-${edge}x${edge}.png`,
      bytes,
    })),
    {
      path: 'img/icons/apple-touch-icon.png',
      bytes: await encode(draw(APPLE_TOUCH).flatten({ background: white })),
    },
    { path: 'img/icons/icon-maskable-512x512.png', bytes: await encode(drawMaskable(draw)) },
  ]
}

function drawMaskable(draw: Draw): Sharp {
  const edge = Math.round(LARGEST * MASKABLE_PART)
  const before = Math.floor((LARGEST - edge) / 2)
  const after = LARGEST - edge - before
  return draw(edge)
    .extend({ top: before, left: before, bottom: after, right: after, background: white })
    .flatten({ background: white })
}

interface Encoded {
  edge: number
  bytes: Buffer
}

async function encodeAll(draw: Draw, edges: readonly number[]): Promise<Encoded[]> {
  const encoded: Encoded[] = []
  for (const edge of edges) encoded.push({ edge, bytes: await encode(draw(edge)) })
  return encoded
}

function encode(picture: Sharp): Promise<Buffer> {
  return picture.png({ compressionLevel: 9 }).toBuffer()
}

/** A directory of 6 + 16n bytes and then the PNGs as they are, which browsers read since 2009. */
function toIco(pngs: readonly Encoded[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pngs.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pngs.length, 4)
  let offset = head.length
  for (const [index, { edge, bytes }] of pngs.entries()) {
    const entry = 6 + 16 * index
    head.writeUInt8(edge, entry)
    head.writeUInt8(edge, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(bytes.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += bytes.length
  }
  return Buffer.concat([head, ...pngs.map(({ bytes }) => bytes)])
}
