import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { precompress } from '@floe/gateway'

/** The last step of a build: the page's files are compressed once, as well as it gets. */
await precompress(join(dirname(fileURLToPath(import.meta.url)), '../../web/dist'))
