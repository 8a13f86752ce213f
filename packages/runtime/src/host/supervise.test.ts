import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createLogs } from '@floe/log'
import { afterEach, expect, test } from 'vitest'
import { supervise, type SupervisedProcess } from './supervise.ts'

const log = createLogs({ level: 'silent' })('test')
const running: SupervisedProcess[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
})

function superviseScript(script: string) {
  const children: ChildProcess[] = []
  const one = supervise({
    name: 'script',
    log,
    pauseMs: 10,
    start: () => {
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
      children.push(child)
      return child
    },
    isReady: async ({ stdout }) => {
      if (stdout) await once(stdout, 'data')
    },
  })
  running.push(one)
  return { one, children }
}

const untilStopped = 'console.log("ready"); setInterval(() => {}, 1000)'

test.each(['SIGKILL', 'SIGTERM'] as const)('what ends by %s is started again', async (signal) => {
  const { one, children } = superviseScript(untilStopped)
  await one.ready
  children[0]?.kill(signal)
  await expect.poll(() => children.length, { timeout: 10_000 }).toBe(2)
  children[1]?.kill(signal)
  await expect.poll(() => children.length, { timeout: 10_000 }).toBe(3)
})

test('what ends while it starts again is started once more', async () => {
  // Ready the first time only.
  const { one, children } = superviseScript('console.log("ready"); setTimeout(() => {}, 50)')
  await one.ready
  await expect.poll(() => children.length, { timeout: 10_000 }).toBeGreaterThan(3)
})

test('a first start that fails is told, and not repeated', async () => {
  const { one, children } = superviseScript('process.exit(3)')
  await expect(one.ready).rejects.toThrow('The script service ended with 3.')
  expect(children).toHaveLength(1)
})

test('what is stopped stays so', async () => {
  const { one, children } = superviseScript(untilStopped)
  await one.ready
  await one.stop()
  expect(children).toHaveLength(1)
  expect(children[0]?.signalCode).toBe('SIGTERM')
  await one.stop()
})
