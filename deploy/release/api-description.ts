import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { outputPath, root } from './outputs.ts'

export async function writeApiDescription(): Promise<void> {
  const path = outputPath('-openapi.json')
  await copyFile(join(root, 'docs/openapi.json'), path)
  console.log(basename(path))
}
