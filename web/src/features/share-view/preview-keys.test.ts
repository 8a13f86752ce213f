import { expect, it } from 'vitest'
import { stepOf } from './preview-keys.ts'

const press = {
  key: 'ArrowRight',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  defaultPrevented: false,
  target: null,
}

it('goes forward in the direction people read', () => {
  expect(stepOf(press, false)).toBe('next')
  expect(stepOf({ ...press, key: 'ArrowLeft' }, false)).toBe('previous')
  expect(stepOf(press, true)).toBe('previous')
  expect(stepOf({ ...press, key: 'ArrowLeft' }, true)).toBe('next')
})

it('leaves keys alone that mean something else', () => {
  expect(stepOf({ ...press, key: 'ArrowDown' }, false)).toBeNull()
  expect(stepOf({ ...press, altKey: true }, false)).toBeNull()
  expect(stepOf({ ...press, defaultPrevented: true }, false)).toBeNull()
})

it('lets a player seek', () => {
  const player = Object.assign(new EventTarget(), { closest: () => ({}) })
  expect(stepOf({ ...press, target: player }, false)).toBeNull()
})
