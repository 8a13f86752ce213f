// Draws the icons in web/public from their logo.svg, as those of any other logo are drawn:
//   node --conditions=source --import tsx packages/pictures/scripts/draw-default-icons.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { createIconMaker } from '../src/icon-maker.ts'

const directory = fileURLToPath(new URL('../../../web/public/', import.meta.url))
const svg = readFileSync(join(directory, 'img/logo.svg'), 'utf8')
const log = { debug: () => {}, warn: console.warn }

function draw(drawing, edge) {
  return sharp(Buffer.from(drawing), { density: 144 })
    .resize(edge, edge)
    .png({ compressionLevel: 9 })
}

const maker = createIconMaker({ log })
const { icons } = await maker.make(await draw(svg, 512).toBuffer())
for (const { path, bytes } of icons) writeFileSync(join(directory, path), bytes)
await maker.stop()

// Devices cut their own corners: these two are filled to the edge.
const filled = svg.replace(/ rx="\d+"/, '')
await draw(filled, 180).toFile(join(directory, 'img/icons/apple-touch-icon.png'))
await draw(filled, 512).toFile(join(directory, 'img/icons/icon-maskable-512x512.png'))
