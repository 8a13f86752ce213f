import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const FILE_NAME = 'secret.key'
const KEY_SIZE_BYTES = 32

/**
 * The installation's own key, made on the first start: `secret.key` in the data directory,
 * readable by its owner only. A backup without it cannot open what was sealed.
 */
export async function loadSecretKey(directory: string): Promise<Buffer> {
  const path = join(directory, FILE_NAME)
  const existing = await readKey(path)
  if (existing) return existing
  await mkdir(directory, { recursive: true })
  const draft = join(directory, `.${FILE_NAME}.${randomBytes(6).toString('hex')}`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(randomBytes(KEY_SIZE_BYTES).toString('base64') + '\n')
    await file.sync()
  } finally {
    await file.close()
  }
  // A link appears whole or not at all, and never replaces what another process put there first.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  const key = await readKey(path)
  if (!key) throw new Error(`${path} vanished`)
  return key
}

/**
 * The key of parts that run apart. The text of a `secret.key` is that very key: what one process has
 * sealed opens for them, and the other way round.
 */
export function secretKeyOf(internalSecret: string): Buffer {
  const isKeyFile = /^[A-Za-z0-9+/]{43}=$/.test(internalSecret)
  return Buffer.from(internalSecret, isKeyFile ? 'base64' : 'utf8')
}

async function readKey(path: string): Promise<Buffer | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const key = Buffer.from(text, 'base64')
  if (key.length !== KEY_SIZE_BYTES) throw new Error(`${path} is damaged`)
  return key
}
