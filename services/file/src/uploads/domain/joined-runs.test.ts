import { expect, test } from 'vitest'
import { latch, runPendingTasks } from '@floe/testing'
import { createJoinedRuns } from './joined-runs.ts'

test('runs a single item at once, and joins those that come meanwhile', async () => {
  const groups: (readonly number[])[] = []
  const first = latch()
  const join = createJoinedRuns(async (items: readonly number[]) => {
    groups.push(items)
    if (groups.length === 1) await first.opened
    return items.map((item) => ({ status: 'fulfilled' as const, value: item * 10 }))
  })
  const results = [1, 2, 3].map((item) => join('key', item))
  await runPendingTasks()
  expect(groups).toEqual([[1]])
  first.open()
  expect(await Promise.all(results)).toEqual([10, 20, 30])
  expect(groups).toEqual([[1], [2, 3]])
})

test('lets no item wait for those of another key', async () => {
  const join = createJoinedRuns(async ([item]: readonly string[]) => {
    if (item === 'stuck') await new Promise(() => undefined)
    return [{ status: 'fulfilled' as const, value: item }]
  })
  void join('one', 'stuck')
  expect(await join('other', 'free')).toBe('free')
})

test('tells each item its own outcome, and goes on after a run that failed', async () => {
  const join = createJoinedRuns((items: readonly string[]) => {
    if (items.includes('broken')) return Promise.reject(new Error('the run failed'))
    return Promise.resolve(
      items.map((item) =>
        item === 'refused'
          ? { status: 'rejected' as const, reason: new Error('refused') }
          : { status: 'fulfilled' as const, value: item },
      ),
    )
  })
  const broken = join('key', 'broken')
  const [refused, good] = [join('key', 'refused'), join('key', 'good')]
  await expect(broken).rejects.toThrow('the run failed')
  await expect(refused).rejects.toThrow('refused')
  expect(await good).toBe('good')
})
