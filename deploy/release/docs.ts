import { join } from 'node:path'
import { npm } from './command.ts'
import { outputPath, root } from './outputs.ts'
import { pack } from './pack.ts'

export async function packDocs(): Promise<void> {
  npm(['run', '--silent', 'docs'])
  pack(outputPath('-docs.tar.gz'), { cwd: join(root, 'docs/dist'), paths: ['.'] })
}
