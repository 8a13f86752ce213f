import { runCli } from './run-cli.ts'

const code = await runCli(process.argv.slice(2), process.env)
// Other files may still be under way, and are of no use any more.
if (code !== 0) process.exit(code)
