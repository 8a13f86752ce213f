// @vitest-environment jsdom
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { LeaveGate } from './LeaveGate.tsx'
import { useGo } from './use-go.ts'
import { useLeaveQuestion } from './use-leave-question.ts'

function Form({ name = '' }: { name?: string }) {
  const [isChanged, setChanged] = useState(false)
  const question = useLeaveQuestion(isChanged)
  return (
    <>
      <button onClick={() => setChanged(true)}>Change{name}</button>
      {question.isAsked && <button onClick={question.leave}>Leave{name}</button>}
      {question.isAsked && <button onClick={question.stay}>Stay{name}</button>}
    </>
  )
}

function Nested() {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <Form />
      {isOpen && <Form name=" text" />}
      <button onClick={() => setOpen(false)}>Close</button>
      <a href="/account">Account</a>
    </>
  )
}

function Elsewhere() {
  const go = useGo()
  return (
    <>
      <button onClick={() => go('/account')}>Go</button>
      <button onClick={() => go('#port')}>Go down</button>
    </>
  )
}

const open = (form = <Form />) =>
  renderPage(
    <LeaveGate>
      {form}
      <Elsewhere />
    </LeaveGate>,
    { at: '/' },
  )

it('who goes from a page without changes is not asked', async () => {
  const page = await open()
  await page.press('Go')
  expect(page.location()).toBe('/account')
})

it('who goes from a page with changes is asked first, and goes once that is decided', async () => {
  const page = await open()
  await page.press('Change')
  await page.press('Go')
  expect(page.location()).toBe('/')
  await page.press('Stay')
  expect(page.location()).toBe('/')
  await page.press('Go')
  await page.press('Leave')
  expect(page.location()).toBe('/account')
})

it('another place on the same page asks nothing', async () => {
  const page = await open()
  await page.press('Change')
  await page.press('Go down')
  expect(page.location()).toBe('/#port')
})

it('a dialog with changes asks in place of the page under it, which asks again after it', async () => {
  const page = await open(<Nested />)
  await page.press('Change')
  await page.press('Change text')
  await page.press('Go')
  await page.press('Stay text')
  await page.user.click(page.getByRole('link', { name: 'Account' }))
  expect(page.queryByRole('button', { name: 'Stay' })).toBeNull()
  await page.press('Stay text')
  await page.press('Close')
  await page.press('Go')
  expect(page.location()).toBe('/')
  await page.press('Leave')
  expect(page.location()).toBe('/account')
})
