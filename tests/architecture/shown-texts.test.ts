import { expect, test } from 'vitest'
import { listCommitted, read } from './repository.ts'

/** What people are told of this place, of where they are, and of what is over, refused or wrong. */
const sections = [
  'home.',
  'nav.',
  'validation.',
  'errorPage.',
  'notFound.',
  'share.deadEnd.',
  'share.password.',
  'share.expiry.unit.',
]
const single = [
  'share.neverExpires',
  'share.expiresOn',
  'share.preparing',
  'share.preview.unsupported',
  'upload.tooLarge',
  'upload.finishFailed',
  'upload.retrying',
  'edit.saved',
  'auth.reset.sentHint',
]

interface Texts {
  [name: string]: string | Texts
}

function flatten(texts: Texts, path = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : flatten(value, `${path}${name}.`),
  )
}

/** A test may have filled in anything for a placeholder. */
function patternOf(text: string): RegExp {
  const parts = text
    .replaceAll(/^\{\w+\}|\{\w+\}$/g, '')
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(parts.join('[^\\n]{1,60}?'))
}

test('every text that tells people where they are or what is wrong stands in a test of the page', () => {
  const tests = listCommitted(/^tests\/e2e\/.*\.ts$|^web\/src\/.*\.component\.test\.tsx$/)
    .map(read)
    .join('\n')
  const english = JSON.parse(read('web/src/shared/i18n/locales/en.json')) as Texts
  const wanted = flatten(english).filter(
    ([key]) =>
      sections.some((section) => key.startsWith(section)) ||
      single.includes(key.replace(/_(?:one|other)$/, '')),
  )
  expect(wanted.length).toBeGreaterThan(80)
  expect(wanted.filter(([, text]) => !patternOf(text).test(tests))).toEqual([])
})
