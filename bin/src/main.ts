import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runFloe } from '@floe/runtime/host'
import { services } from './services.ts'

const here = dirname(fileURLToPath(import.meta.url))

await runFloe({
  services,
  webDirectory: join(here, '../../web/dist'),
  commandLineFile: join(here, '../../packages/cli/dist/floe.mjs'),
})
