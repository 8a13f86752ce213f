import { expect, test } from 'vitest'
import { createJoinedReads } from './joined-reads.ts'

function createSlowReads() {
  const begun: { key: string; end(row: string): void; fail(error: Error): void }[] = []
  const read = createJoinedReads(
    (key: string) =>
      new Promise<string>((resolve, reject) => begun.push({ key, end: resolve, fail: reject })),
  )
  return { begun, ask: (key: string) => read(key, key) }
}

test('a read that is asked for begins afterwards, and those that wait share it', async () => {
  const { begun, ask } = createSlowReads()
  const first = ask('a')
  const later = [ask('a'), ask('a')]
  expect(begun).toHaveLength(1)
  begun[0]?.end('before')
  expect(await first).toBe('before')
  expect(begun).toHaveLength(2)
  const latest = ask('a')
  begun[1]?.end('after')
  expect(await Promise.all(later)).toEqual(['after', 'after'])
  begun[2]?.end('at last')
  expect(await latest).toBe('at last')
})

test('a read waits for none of another key', () => {
  const { begun, ask } = createSlowReads()
  void ask('a')
  void ask('b')
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
})

test('a read that failed is not the end of the next', async () => {
  const { begun, ask } = createSlowReads()
  const first = ask('a')
  const next = ask('a')
  begun[0]?.fail(new Error('connection lost'))
  await expect(first).rejects.toThrow('connection lost')
  begun[1]?.end('row')
  expect(await next).toBe('row')
})
