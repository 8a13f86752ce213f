// What `./floe` of a release runs, where everything is installed and built: Floe itself, or the command
// that the first argument names, with the rest of them.
import { refuseNodeVersion } from './node-version.mjs'

const programs = ['migrate', 'backup', 'restore', 'verify', 'import', 'export', 'unlock']
const [command, ...args] = process.argv.slice(2)
const refusal = refuseNodeVersion(process.versions.node)

if (refusal) {
  console.error(refusal)
  process.exitCode = 1
} else if (command === undefined) {
  process.env.NODE_ENV ??= 'production'
  await import('./dist/main.js')
} else if (programs.includes(command)) {
  process.argv.splice(2, process.argv.length, ...args)
  await import(`./dist/${command}.js`)
} else {
  console.error(`Usage: floe [${programs.join(' | ')}]; without a command, it starts Floe.`)
  process.exitCode = 2
}
