import { describe, expect, it } from 'vitest'
import { cssVariables, theme } from './theme.ts'

describe('the theme', () => {
  it('lets dialogs come and go in 200 ms, or at once for those who want no motion', () => {
    const modal: unknown = theme.components?.['Modal']?.defaultProps
    expect(modal).toMatchObject({ transitionProps: { duration: 200 } })
    expect(theme.respectReducedMotion).toBe(true)
  })

  it('gives the bar 60 px', () => {
    expect(cssVariables.variables).toMatchObject({
      '--floe-header-height': '60px',
    })
  })
})
