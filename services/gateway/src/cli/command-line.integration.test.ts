import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Rig, type RigOptions, send, startGateway } from '../testing/gateway-rig.ts'

const run = promisify(execFile)

let folder: string
let closers: (() => Promise<void>)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floe-cli-'))
  closers = []
})
afterEach(async () => {
  for (const close of closers) await close()
  rmSync(folder, { recursive: true })
})

const content =
  '#!/usr/bin/env node\nimport "node:fs"\nconsole.log("this is floe", ...process.argv.slice(2))\n'

async function start(options: RigOptions = {}): Promise<Rig> {
  const commandLineFile = join(folder, 'built.mjs')
  writeFileSync(commandLineFile, content)
  const rig = await startGateway({ commandLineFile, ...options })
  closers.push(rig.close)
  return rig
}

/** With a home of its own, and programs as usual. */
function runScript(script: string, env: Record<string, string> = {}) {
  const path = join(folder, 'install.sh')
  writeFileSync(path, script)
  const home = join(folder, 'home')
  const own = { HOME: home, PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` }
  return run('sh', [path], { env: { ...own, ...env } })
}

test('the command line is one file that is asked for again with its tag', async () => {
  const rig = await start()
  const response = await send(rig, '/cli/floe.mjs')
  expect([response.status, response.body.toString()]).toEqual([200, content])
  expect(response.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  })
  const headers = { 'If-None-Match': String(response.headers.etag) }
  expect((await send(rig, '/cli/floe.mjs', { headers })).status).toBe(304)
})

test('without a built command line there is none, and no page stands in for it', async () => {
  const rig = await start({ commandLineFile: join(folder, 'gone') })
  for (const path of ['/cli/floe.mjs', '/cli/install.sh', '/cli', '/cli/other']) {
    const response = await send(rig, path, { headers: { Accept: 'text/html' } })
    expect([response.status, response.code], path).toEqual([404, 'route_not_found'])
  }
})

test('the script installs the command for its user, says what comes next, and upgrades it', async () => {
  const rig = await start()
  const script = (await send(rig, '/cli/install.sh')).body.toString()
  for (const attempt of ['first', 'again']) {
    const { stdout, stderr } = await runScript(script)
    const command = join(folder, 'home/.local/bin/floe')
    expect(stderr).toBe('')
    expect(stdout, attempt).toContain(`Installed as ${command}.`)
    expect(stdout).toContain('Add it to your PATH')
    expect(stdout).toContain(`floe login ${rig.url}`)
    expect((await run(command, ['a', 'b'])).stdout).toBe('this is floe a b\n')
    expect(lstatSync(command).isSymbolicLink()).toBe(true)
  }
})

test('the script names the configured address, whatever the request was sent to', async () => {
  const rig = await start({ settings: { 'general.appUrl': "https://files.example.com/it's" } })
  const script = (await send(rig, '/cli/install.sh')).body.toString()
  expect(script).toContain(String.raw`site='https://files.example.com/it'\''s'`)
})

test('another file than the one the script was made for is not installed', async () => {
  const rig = await start()
  const script = (await send(rig, '/cli/install.sh')).body.toString()
  const sha256 = createHash('sha256').update(content).digest('hex')
  expect(script).toContain(sha256)
  const refused = runScript(script.replace(sha256, sha256.replaceAll(/[0-9a-f]/g, '0')))
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: 'install.sh: The download is damaged. Nothing was changed.\n',
  })
  expect(existsSync(join(folder, 'home/.local/bin/floe'))).toBe(false)
})

test('a script that was cut runs nothing', async () => {
  const rig = await start()
  const script = (await send(rig, '/cli/install.sh')).body.toString()
  await runScript(script.slice(0, script.lastIndexOf('main')))
  expect(existsSync(join(folder, 'home'))).toBe(false)
})

test('an old Node.js is refused with what is needed', async () => {
  const rig = await start()
  const script = (await send(rig, '/cli/install.sh')).body.toString()
  const node = join(folder, 'node')
  const old = `Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })`
  writeFileSync(join(folder, 'old.cjs'), old)
  writeFileSync(
    node,
    `#!/bin/sh\n[ "$1" = --version ] && { echo v20.18.3; exit; }\nexec ${process.execPath} -r ${folder}/old.cjs "$@"\n`,
    { mode: 0o755 },
  )
  await expect(runScript(script, { PATH: `${folder}:/usr/bin:/bin` })).rejects.toMatchObject({
    stderr:
      'install.sh: Node.js 20.19 or newer is needed (of the 22 line, 22.12 or newer); this is v20.18.3.\n',
  })
  expect(readFileSync(join(folder, 'built.mjs'), 'utf8')).toBe(content)
})
