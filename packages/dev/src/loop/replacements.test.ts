import { expect, test } from 'vitest'
import { openReplacements } from './replacements.ts'

test('what is asked for while a server starts is started after it, once', async () => {
  const begun: (() => void)[] = []
  const servers = openReplacements({
    start: () =>
      new Promise((resolve) => {
        const port = begun.length + 1
        begun.push(() => resolve({ port, stop: async () => undefined }))
      }),
  })
  const first = servers.replace()
  await expect.poll(() => begun.length).toBe(1)
  const second = servers.replace()
  const third = servers.replace()
  begun[0]?.()
  await first
  expect(servers.ports()).toEqual([1])
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.()
  await Promise.all([second, third])
  expect(servers.ports()).toEqual([2])
  expect(begun).toHaveLength(2)
  await servers.stop()
})

test('a server that does not start leaves the one before it, and is no hindrance to the next', async () => {
  let starts = 0
  const servers = openReplacements({
    start: async () => {
      starts += 1
      if (starts === 2) throw new Error('does not build')
      return { port: starts, stop: async () => undefined }
    },
  })
  await servers.replace()
  await expect(servers.replace()).rejects.toThrow('does not build')
  expect(servers.ports()).toEqual([1])
  await servers.replace()
  expect(servers.ports()).toEqual([3])
  await servers.stop()
})
