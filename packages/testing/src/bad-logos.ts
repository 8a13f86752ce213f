import type { ErrorCode } from '@floe/contracts'
import { deflateSync } from 'node:zlib'
import { blackPng, pngChunk, pngFile, pngHeader } from './png.ts'

export interface BadLogo {
  what: string
  /** What it is refused with, declared as `image/png`. */
  code: ErrorCode
  make(): Buffer
}

/** A 64 by 64 PNG whose header is right and whose pixels are these bytes. */
function pngOf(pixels: Buffer): Buffer {
  const header = pngHeader({ width: 64, height: 64, depth: 8, colourType: 2 })
  return pngFile([header, pngChunk('IDAT', pixels)])
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>'
const pixels = () => deflateSync(Buffer.alloc(64 * (1 + 64 * 3), 7), { level: 0 })

/** Files that are no logo, each for a reason of its own. */
export const badLogos: readonly BadLogo[] = [
  { what: 'an SVG called PNG', code: 'logo_not_png', make: () => Buffer.from(svg) },
  {
    what: 'a JPEG called PNG',
    code: 'logo_not_png',
    make: () => Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  },
  { what: 'an empty file', code: 'logo_not_png', make: () => Buffer.alloc(0) },
  {
    what: 'a bomb of 20 000 by 20 000 pixels',
    code: 'logo_too_many_pixels',
    make: () => blackPng(20_000, 20_000),
  },
  {
    what: 'a header that claims 4 billion pixels',
    code: 'logo_too_many_pixels',
    make: () => pngFile([pngHeader({ width: 65_535, height: 65_535, depth: 8, colourType: 6 })]),
  },
  {
    what: 'an animated PNG',
    code: 'logo_animated',
    make: () =>
      blackPng(64, 64, { chunks: [pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] }),
  },
  { what: 'one twice as high as wide', code: 'logo_not_square', make: () => blackPng(64, 128) },
  { what: 'one a pixel too wide', code: 'logo_not_square', make: () => blackPng(65, 64) },
  {
    what: 'a PNG that is cut off',
    code: 'logo_damaged',
    make: () => pngOf(pixels()).subarray(0, 5_000),
  },
  {
    what: 'a PNG whose pixels end early',
    code: 'logo_damaged',
    make: () => pngOf(pixels().subarray(0, 5_000)),
  },
  {
    what: 'a PNG whose pixels are altered',
    code: 'logo_damaged',
    make: () => {
      const bytes = pngOf(pixels())
      bytes[6_000] = 0xff
      return bytes
    },
  },
  {
    what: 'a PNG without any pixels',
    code: 'logo_damaged',
    make: () => pngFile([pngHeader({ width: 64, height: 64, depth: 8, colourType: 6 })]),
  },
  { what: 'a PNG of no size', code: 'logo_damaged', make: () => blackPng(0, 0) },
]
