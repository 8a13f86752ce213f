import { expect, test } from 'vitest'
import { listCommitted, read } from './repository.ts'

const document = 'docs/security.md'
const verdicts = ['met', 'partly', 'not met', 'operator']

interface Row {
  /** Of the heading above it. */
  chapter: string
  requirement: string
  level: string
  verdict: string
  how: string
  /** Below the root of the repository. */
  places: string[]
  tests: string[]
  admitsNoTest: boolean
}

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())

const [introduction = '', ...chapters] = read(document).split(/^## (?=V\d+ )/m)
const rows = chapters.flatMap((chapter) => {
  const [name = ''] = chapter.split(' ', 1)
  return chapter
    .split('\n')
    .filter((line) => line.startsWith('| V'))
    .map((line) => readRow(name, line))
})

function readRow(chapter: string, line: string): Row {
  const [, name = '', , verdict = '', text = '', ...rest] = cellsOf(line)
  const [, requirement = name, level = ''] = /^(\S+) \(L([123])\)$/.exec(name) ?? []
  if (rest.length !== 1) throw new Error(`${name} has not four cells`)
  const [untested = '', tested = ''] = text.split(' _Test:_ ')
  const [how = '', where = ''] = untested.split(' _Where:_ ')
  return {
    ...{ chapter, requirement, level, verdict, how },
    places: pathsIn(where),
    tests: pathsIn(tested),
    admitsNoTest: tested === 'none',
  }
}

function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)

test('the table of security requirements has each requirement once, in order', () => {
  const numbers = rows.map(({ requirement }) => requirement.slice(1).split('.').map(Number))
  const inOrder = numbers.toSorted(
    ([a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]) => a - d || b - e || c - f,
  )
  expect(numbers.length).toBeGreaterThan(150)
  expect(numbers).toEqual(inOrder)
  expect(new Set(numbers.map(String)).size).toBe(numbers.length)
})

test('a security requirement stands in its chapter', () => {
  const misplaced = rows.filter(
    ({ chapter, requirement }) =>
      !/^V\d+\.\d+\.\d+$/.test(requirement) || !requirement.startsWith(`${chapter}.`),
  )
  expect(misplaced).toEqual([])
})

test('every security requirement has a level, a known verdict and a reason', () => {
  const unclear = rows.filter(
    ({ level, verdict, how }) => level === '' || !verdicts.includes(verdict) || how === '',
  )
  expect(unclear).toEqual([])
})

test('what a security requirement names is a committed file, and its tests are tests', () => {
  const committed = new Set(listCommitted())
  const wrong = rows.flatMap(({ places, tests }) => [
    ...places.filter((path) => !committed.has(path) || isTest(path)),
    ...tests.filter((path) => !committed.has(path) || !isTest(path)),
  ])
  expect(wrong).toEqual([])
})

test('a security requirement that is met names where, and its test or that there is none', () => {
  const unproven = rows
    .filter(({ verdict }) => verdict === 'met' || verdict === 'partly')
    .filter(({ places, tests, admitsNoTest }) => {
      return places.length === 0 || tests.length > 0 === admitsNoTest
    })
  expect(unproven.map(({ requirement }) => requirement)).toEqual([])
})

test('the counts of security requirements are those of the rows', () => {
  const told = introduction.split('\n').flatMap((line) => {
    const [, verdict = '', count = ''] = cellsOf(line)
    return verdicts.includes(verdict) ? [[verdict, Number(count)]] : []
  })
  const counted = verdicts.map((verdict) => [
    verdict,
    rows.filter((row) => row.verdict === verdict).length,
  ])
  expect(told).toEqual(counted)
})
