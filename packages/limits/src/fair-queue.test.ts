import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('never lets more run at once than it should, and each knows whether it waited', async () => {
  const queued = createFairQueue(2)
  const gates = Array.from({ length: 5 }, gate)
  const begun: number[] = []
  const runs = gates.map(({ opened }, index) =>
    queued('a', async (hasWaited) => {
      begun.push(index)
      await opened
      return hasWaited
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  gates[1]?.open()
  await runs[1]
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const { open } of gates) open()
  await expect(Promise.all(runs)).resolves.toEqual([false, false, true, true, true])
})

test('one that fails makes room like any other', async () => {
  const queued = createFairQueue(1)
  const failing = queued('a', () => Promise.reject(new Error('no')))
  const next = queued('a', () => Promise.resolve('yes'))
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBe('yes')
  await expect(queued('a', () => Promise.resolve('again'))).resolves.toBe('again')
})

test('one that asks a hundred times lets the others in between', async () => {
  const queued = createFairQueue(1)
  const { open, opened } = gate()
  const order: string[] = []
  const ask = (party: string) =>
    queued(party, async () => {
      await opened
      order.push(party)
    })
  const all = [...Array<string>(100).fill('flood'), 'one', 'other', 'one'].map(ask)
  open()
  await Promise.all(all)
  // The first had begun when the others came.
  expect(order.slice(0, 6)).toEqual(['flood', 'flood', 'one', 'other', 'flood', 'one'])
  expect(order).toHaveLength(103)
})
