// @vitest-environment jsdom
import { within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { LeaveGate } from '../leave/LeaveGate.tsx'
import { useGo } from '../leave/use-go.ts'
import { OnceDialog } from './OnceDialog.tsx'

function Elsewhere() {
  const go = useGo()
  return <button onClick={() => go('/account')}>Go</button>
}

async function open(warning: string | null) {
  const closed: string[] = []
  const page = await renderPage(
    <LeaveGate>
      <OnceDialog title="Secret" warning={warning} onClose={() => closed.push('closed')}>
        whsec_1
      </OnceDialog>
      <Elsewhere />
    </LeaveGate>,
  )
  return { page, closed }
}

function isTabHeld() {
  const closing = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(closing)
  return closing.defaultPrevented
}

it('what is shown only once is not left without a question', async () => {
  const { page } = await open('Copy it now.')
  expect(isTabHeld()).toBe(true)
  await page.press('Go')
  expect(page.location()).toBe('/')
  expect(page.getByText('whsec_1')).toBeTruthy()
  const question = within(page.getByText('Copy it now.').closest('section') ?? document.body)
  await page.user.click(question.getByRole('button', { name: 'Leave' }))
  expect(page.location()).toBe('/account')
})

it('Escape closes the question and not what is shown only once', async () => {
  const { page, closed } = await open('Copy it now.')
  await page.press('Go')
  await page.user.keyboard('{Escape}')
  await expect.poll(() => page.queryByText('Copy it now.')).toBeNull()
  expect(closed).toEqual([])
  await page.user.keyboard('{Escape}')
  expect(closed).toEqual(['closed'])
})

it('what can be seen again is left without a question', async () => {
  const { page } = await open(null)
  expect(isTabHeld()).toBe(false)
  await page.press('Go')
  expect(page.location()).toBe('/account')
})
