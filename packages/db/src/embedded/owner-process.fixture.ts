/**
 * A Floe reduced to its database, in a process that tests can kill. Prints `ready <url>` or
 * `failed <sentence>`, then `lost <sentence>` if it is ever told so; stops on SIGTERM.
 */
import { startEmbeddedPostgres } from './server.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

try {
  const server = await startEmbeddedPostgres({
    dataDir: process.argv[2] ?? '',
    log: quiet,
    settings: { fsync: 'off' },
    onLost: (error) => console.log(`lost ${error.message}`),
  })
  process.on('SIGTERM', () => {
    void server.stop().then(() => process.exit(0))
  })
  console.log(`ready ${server.url}`)
} catch (error) {
  console.log(
    `failed ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
  )
  process.exitCode = 1
}
