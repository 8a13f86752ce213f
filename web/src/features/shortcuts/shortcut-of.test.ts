import { describe, expect, it } from 'vitest'
import { shortcutOf } from './shortcut-of.ts'

type Press = Parameters<typeof shortcutOf>[0]

function press(key: string, rest: Partial<Press> = {}): Press {
  return {
    key,
    code: '',
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    repeat: false,
    isComposing: false,
    defaultPrevented: false,
    target: null,
    ...rest,
  }
}

/** An element that stands inside what the selector names. */
function inside(name: string): EventTarget {
  const target = new EventTarget()
  return Object.assign(target, {
    closest: (selector: string) => (selector.split(', ').includes(name) ? target : null),
  })
}

describe('shortcuts', () => {
  it('are single keys, whatever the layout needs for them', () => {
    expect(shortcutOf(press('u'))).toBe('u')
    expect(shortcutOf(press('S'))).toBe('s')
    expect(shortcutOf(press('?', { shiftKey: true }))).toBe('?')
    expect(shortcutOf(press('/', { shiftKey: true, code: 'Digit7' }))).toBe('/')
    expect(shortcutOf(press('x'))).toBeNull()
  })

  it('take back with Ctrl or Cmd and Z, but not what is being typed', () => {
    expect(shortcutOf(press('z', { ctrlKey: true }))).toBe('undo')
    expect(shortcutOf(press('я', { metaKey: true, code: 'KeyZ' }))).toBe('undo')
    expect(shortcutOf(press('z', { ctrlKey: true, shiftKey: true }))).toBeNull()
    expect(shortcutOf(press('z', { ctrlKey: true, target: inside('input') }))).toBeNull()
    expect(shortcutOf(press('z'))).toBeNull()
  })

  it('are found by their place where another script is written', () => {
    expect(shortcutOf(press('г', { code: 'KeyU' }))).toBe('u')
    expect(shortcutOf(press('؟', { shiftKey: true }))).toBe('?')
    // Dvorak has an `o` where others have an `s`.
    expect(shortcutOf(press('o', { code: 'KeyS' }))).toBeNull()
  })

  it('leave keys to fields, menus and lists', () => {
    for (const name of ['input', 'textarea', 'select', '[role="menu"]', '[role="listbox"]']) {
      expect(shortcutOf(press('u', { target: inside(name) })), name).toBeNull()
    }
    expect(shortcutOf(press('u', { target: inside('button') }))).toBe('u')
  })

  it('leave keys to the browser, to input methods and to who was first', () => {
    const reasons = ['altKey', 'ctrlKey', 'metaKey', 'repeat', 'isComposing', 'defaultPrevented']
    for (const reason of reasons) expect(shortcutOf(press('u', { [reason]: true }))).toBeNull()
    expect(shortcutOf(press('U', { shiftKey: true }))).toBeNull()
  })
})
