// Draws the PNG forms of public/img/logo.svg with an installed Chromium:
//   node web/scripts/draw-icons.mjs
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const images = fileURLToPath(new URL('../public/img/', import.meta.url))
const svg = readFileSync(join(images, 'logo.svg'), 'utf8')
const scratch = mkdtempSync(join(tmpdir(), 'floe-icons-'))

function draw(size, file) {
  const page = join(scratch, `${size}.html`)
  writeFileSync(
    page,
    `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  )
  execFileSync(process.env.CHROMIUM ?? 'chromium', [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--hide-scrollbars',
    '--default-background-color=00000000',
    `--user-data-dir=${join(scratch, 'profile')}`,
    `--window-size=${size},${size}`,
    `--screenshot=${join(images, file)}`,
    `file://${page}`,
  ])
}

draw(512, 'logo.png')
for (const size of [48, 72, 96, 128, 144, 152, 192, 384, 512]) {
  draw(size, `icons/icon-${size}x${size}.png`)
}
rmSync(scratch, { recursive: true })
