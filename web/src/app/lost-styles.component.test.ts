// @vitest-environment jsdom
import { expect, it, onTestFinished, vi } from 'vitest'
import { recoverStylesheets } from './lost-styles.ts'

it('a stylesheet that was lost without a connection is asked for once there is one', () => {
  vi.useFakeTimers()
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => {
    vi.useRealTimers()
    line.mockRestore()
  })
  recoverStylesheets()
  const lost = document.createElement('link')
  lost.rel = 'stylesheet'
  document.head.append(lost)
  lost.dispatchEvent(new Event('error'))
  vi.advanceTimersByTime(60_000)
  expect(document.head.contains(lost)).toBe(true)
  window.dispatchEvent(new Event('online'))
  expect(document.head.contains(lost)).toBe(false)
  expect(document.querySelectorAll('link')).toHaveLength(1)
})
