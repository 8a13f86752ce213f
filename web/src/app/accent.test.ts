import { describe, expect, test } from 'vitest'
import { luminanceOf, shadesLike } from '@floe/contracts'
import { accentStyles } from './theme-styles.ts'
import { ice } from './theme.ts'

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const colors = [
  ...['#1b7ea6', '#ff0000', '#ffee00', '#00ff00', '#0000ff', '#ff00ff', '#7c3aed', '#ff6600'],
  ...['#000000', '#ffffff', '#808080', '#16a34a', '#123456', '#fedcba', '#010203', '#e0f7fa'],
]

describe.each(colors)('shades like %s', (color) => {
  const shades = shadesLike(color, ice)

  test('are read as well as those of the theme, on each other and on white', () => {
    const white = '#ffffff'
    // Letters of buttons, links on the page, letters on a tint, letters in the dark.
    const pairs = [
      [shades[7], white],
      [shades[6], white],
      [shades[7], '#f3f7f9'],
      [shades[7], shades[0]],
      [shades[7], shades[1]],
      [shades[8], white],
      [shades[3], '#0e171e'],
      [shades[3], '#1b2832'],
    ] as const
    for (const [letters, ground] of pairs) {
      expect(contrast(letters, ground), `${letters} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('go from light to dark', () => {
    const luminances = shades.map(luminanceOf)
    expect(luminances).toEqual([...luminances].sort((a, b) => b - a))
  })
})

test("the theme's own color changes next to nothing", () => {
  const distance = shadesLike(ice[6], ice).map((shade, at) =>
    Math.abs(luminanceOf(shade) - luminanceOf(ice[at] ?? '')),
  )
  expect(Math.max(...distance)).toBeLessThan(0.01)
})

test('its style sheet changes what follows the color, and nothing else', () => {
  const styles = accentStyles('#7c3aed')
  expect(styles).toContain('--floe-accent:')
  expect(styles).not.toMatch(/--mantine-color-(?:red|gray|body)|--floe-(?:canvas|surface|line)/)
})
