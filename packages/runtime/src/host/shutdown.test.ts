import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const shutdown = fileURLToPath(new URL('shutdown.ts', import.meta.url))

test.each([
  ['thrown', 'setImmediate(() => { throw error })'],
  ['rejected', 'void Promise.reject(error)'],
])(
  'an error nobody expected, %s, ends the process and shows no secret',
  (_how, fail) => {
    const program = `
    import { endOnUnexpected } from ${JSON.stringify(shutdown)}
    import { createLog } from '@floe/log'
    endOnUnexpected(createLog({ level: 'info', service: 'test' }))
    const error = Object.assign(new Error('failed'), { headers: { cookie: 'hush' } })
    ${fail}
    setTimeout(() => undefined, 10_000)`
    const args = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', program]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })

    expect(status).toBe(1)
    expect(stdout).toContain('unexpected error; exiting')
    expect(stdout + stderr).not.toContain('hush')
  },
  60_000,
)
