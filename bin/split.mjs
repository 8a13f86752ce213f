// `npm run dev:split`: prepares the checkout, then runs every service as a process of its own.
import { prepare, PrepareError } from './prepare.mjs'

try {
  await prepare()
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  console.error(error.message)
  process.exit(1)
}
await import('./dist/split.js')
