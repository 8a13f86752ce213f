import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { out, root } from './outputs.ts'

/** What installs the tarball as a service; it brings its unit itself. */
export async function copyInstaller(): Promise<void> {
  await copyFile(join(root, 'deploy/systemd/install.sh'), join(out, 'install.sh'))
}
