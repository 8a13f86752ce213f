import { createCipheriv, createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'

const BLOCK_BYTES = 4 * 1024 * 1024

/** Relative path → content. */
export type Tree = Readonly<Record<string, string | Buffer>>

export async function writeTree(root: string, tree: Tree): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    const target = join(root, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
}

/** A file that takes no room: all of it is a hole. */
export async function writeHole(path: string, sizeBytes: number): Promise<void> {
  await writeFile(path, '')
  await truncate(path, sizeBytes)
}

/** Bytes that do not repeat, the same for the same seed; returns their SHA-256. */
export async function writeRandomFile(
  path: string,
  { sizeBytes, seed }: { sizeBytes: number; seed: string },
): Promise<string> {
  const key = createHash('sha256').update(seed).digest()
  const source = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const hash = createHash('sha256')
  const zeros = Buffer.alloc(BLOCK_BYTES)
  const file = await open(path, 'w')
  try {
    for (let written = 0; written < sizeBytes; written += BLOCK_BYTES) {
      const block = source.update(zeros.subarray(0, Math.min(BLOCK_BYTES, sizeBytes - written)))
      hash.update(block)
      await file.writeFile(block)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Writes another byte there; returns the SHA-256 that the file has now. */
export async function changeByte(path: string, offset: number): Promise<string> {
  const opened = await open(path, 'r+')
  const { buffer } = await opened.read(Buffer.alloc(1), 0, 1, offset)
  await opened.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, offset)
  await opened.close()
  return hashFile(path)
}

export async function hashesOf(root: string, paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map((path) => hashFile(join(root, path))))
}

export interface Downloaded {
  name: string
  path: string
  sha256: string
}

/** Clicks and waits for the file the browser saves. */
export async function download(page: Page, button: Locator): Promise<Downloaded> {
  const [saved] = await Promise.all([page.waitForEvent('download'), button.click()])
  const path = await saved.path()
  return { name: saved.suggestedFilename(), path, sha256: await hashFile(path) }
}

const run = promisify(execFile)

/** Has `unzip` judge the archive, then unpacks it. */
export async function unzip(archive: string, target: string): Promise<void> {
  await run('unzip', ['-tqq', archive])
  await mkdir(target, { recursive: true })
  // Without a UTF-8 locale it would write the names in escapes.
  await run('unzip', ['-qq', archive, '-d', target], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
}

export interface Drag {
  drop(): Promise<void>
  leave(): Promise<void>
}

/** Holds files and folders over an element, as somebody who comes from a file manager does. */
export async function dragOver(page: Page, target: Locator, paths: string[]): Promise<Drag> {
  const box = await target.boundingBox()
  if (!box) throw new Error('the drop target is not visible')
  const devtools = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  return {
    async drop() {
      await devtools.send('Input.dispatchDragEvent', { type: 'drop', ...at, data })
      await devtools.detach()
    },
    async leave() {
      await devtools.send('Input.dispatchDragEvent', { type: 'dragCancel', ...at, data })
      await devtools.detach()
      // The protocol's own way out tells the page nothing, a pointer that leaves the window does.
      await page.evaluate(`document.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))`)
    },
  }
}

/** Lets go of files and folders over an element. */
export async function dropOn(page: Page, target: Locator, paths: string[]): Promise<void> {
  const { drop } = await dragOver(page, target, paths)
  await drop()
}

/** A small landscape as a real picture file, painted by the browser. */
export async function paintPicture(
  page: Page,
  { width, height, sky, water }: { width: number; height: number; sky: string; water: string },
): Promise<Buffer> {
  await page.setViewportSize({ width, height })
  await page.setContent(
    `<body style="margin:0;height:100vh;background:linear-gradient(${sky} 0 58%,${water} 58%)">` +
      `<svg viewBox="0 0 160 100" preserveAspectRatio="none" width="100%" height="100%">` +
      `<circle cx="122" cy="24" r="9" fill="#fff6d8"/>` +
      `<path d="M10 60 46 26 66 44 84 18 118 60Z" fill="#dfeaf0"/>` +
      `<path d="M46 26 66 44 60 60 40 60Z M84 18 118 60 90 60Z" fill="#b7cbd6"/></svg></body>`,
  )
  return page.screenshot({ type: 'jpeg', quality: 80 })
}

export async function readTree(root: string, paths: readonly string[]): Promise<Buffer[]> {
  return Promise.all(paths.map((path) => readFile(join(root, path))))
}

/** A second of silence as a WAV file: 8 000 samples of one byte. */
export function makeSilence(): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(8_036, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(8_000, 40)
  return Buffer.concat([head, Buffer.alloc(8_000, 128)])
}
