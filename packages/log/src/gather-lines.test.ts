import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gatherLines } from './gather-lines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function startLines() {
  const written: string[] = []
  const lines = gatherLines({ write: (text) => void written.push(text) })
  return { lines, written }
}

test('writes lines of one moment together, however long they go on', () => {
  const { lines, written } = startLines()
  for (const line of ['a', 'b', 'c']) {
    lines.write(line)
    vi.advanceTimersByTime(9)
  }
  expect(written).toEqual(['abc'])
  lines.write('d')
  vi.advanceTimersByTime(20)
  expect(written).toEqual(['abc', 'd'])
})

test('writes what waits before a fatal end, and once', () => {
  const { lines, written } = startLines()
  lines.write('fatal')
  lines.flushSync()
  expect(written).toEqual(['fatal'])
  vi.advanceTimersByTime(100)
  expect(written).toEqual(['fatal'])
})
