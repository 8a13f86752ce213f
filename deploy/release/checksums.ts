import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { out } from './outputs.ts'

const name = 'SHA256SUMS'

/** As `sha256sum --check` reads them. */
export async function writeChecksums(): Promise<void> {
  const files = (await readdir(out)).filter((file) => file !== name).sort()
  const lines = await Promise.all(
    files.map(async (file) => {
      const hash = createHash('sha256').update(await readFile(join(out, file)))
      return `${hash.digest('hex')}  ${file}\n`
    }),
  )
  await writeFile(join(out, name), lines.join(''))
  console.log(name)
}
