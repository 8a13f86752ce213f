import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Something that is looked for, in every way that bytes and texts are commonly written. */
export interface Needle {
  what: string
  forms: readonly Buffer[]
}

/** Where something is looked for. */
export interface Hay {
  where: string
  bytes: Buffer
}

export function needle(what: string, sought: string | Uint8Array): Needle {
  const isText = typeof sought === 'string'
  const forms = [...formsOfBytes(Buffer.from(sought)), ...(isText ? formsOfText(sought) : [])]
  const distinct = new Map(forms.map((form) => [form.toString('latin1'), form]))
  return { what, forms: [...distinct.values()] }
}

function formsOfBytes(bytes: Buffer): Buffer[] {
  const hex = bytes.toString('hex')
  const texts = [hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((before) => inBase64(bytes, before))]
  return [bytes, ...texts.map((text) => Buffer.from(text))]
}

/** What does not depend on the bytes around it, behind so many others of a longer text. */
function inBase64(bytes: Buffer, before: number): string[] {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}

function formsOfText(text: string): Buffer[] {
  const percent = encodeURIComponent(text)
  const escaped = text.replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const texts = [percent, percent.toLowerCase(), percent.replaceAll('%20', '+'), escaped]
  return [Buffer.from(text, 'utf16le'), ...texts.map((one) => Buffer.from(one))]
}

/** Which of them are there, as `what (where)`. */
export function find(needles: readonly Needle[], stack: readonly Hay[]): string[] {
  return stack.flatMap(({ where, bytes }) =>
    needles
      .filter(({ forms }) => forms.some((form) => bytes.includes(form)))
      .map(({ what }) => `${what} (${where})`),
  )
}

/** Every file below a folder in which something may be written meanwhile. */
export async function readFolder(folder: string): Promise<Hay[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const read = files.map(async ({ parentPath, name }) => {
    const where = join(parentPath, name)
    const bytes = await readFile(where).catch(() => null)
    return bytes ? [{ where, bytes }] : []
  })
  return (await Promise.all(read)).flat()
}
