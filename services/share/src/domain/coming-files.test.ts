import { expect, test } from 'vitest'
import { joinComing } from './coming-files.ts'

const none = { fileCount: 0, sizeBytes: 0, receivedBytes: 0, files: [] }
const half = { name: 'b.mov', sizeBytes: 100, receivedBytes: 50 }
const unfinished = { fileCount: 1, sizeBytes: 100, receivedBytes: 50, files: [half] }
const arrived = [{ name: 'a.mov', sizeBytes: 10 }]
const announced = {
  fileCount: 3,
  size: 310,
  files: [
    { name: 'a.mov', size: 10 },
    { name: 'b.mov', size: 100 },
    { name: 'c.mov', size: 200 },
  ],
}

test('lists what is on its way with its progress, then what has not begun, and nothing that arrived', () => {
  expect(joinComing({ announced, arrived, unfinished })).toEqual({
    fileCount: 2,
    sizeBytes: 300,
    receivedBytes: 50,
    files: [half, { name: 'c.mov', sizeBytes: 200, receivedBytes: 0 }],
  })
})

test('counts files that were announced without their names', () => {
  const many = { ...announced, fileCount: 5000, size: 1_000_000 }
  expect(joinComing({ announced: many, arrived, unfinished })).toMatchObject({
    fileCount: 4999,
    sizeBytes: 999_990,
    files: [{ name: 'b.mov' }, { name: 'c.mov' }],
  })
})

test('a file stands for one of its name and size, and for no other', () => {
  const twins = {
    fileCount: 3,
    size: 21,
    files: [
      { name: 'a', size: 10 },
      { name: 'a', size: 10 },
      { name: 'a', size: 1 },
    ],
  }
  const one = [{ name: 'a', sizeBytes: 10 }]
  const { files } = joinComing({ announced: twins, arrived: one, unfinished: none })
  expect(files.map(({ sizeBytes }) => sizeBytes)).toEqual([10, 1])
})

test('lists uploads that nobody announced', () => {
  expect(joinComing({ announced: null, arrived, unfinished })).toEqual(unfinished)
  const other = { fileCount: 1, size: 10, files: [{ name: 'a.mov', size: 10 }] }
  expect(joinComing({ announced: other, arrived, unfinished })).toMatchObject({
    fileCount: 1,
    sizeBytes: 100,
    files: [half],
  })
})
