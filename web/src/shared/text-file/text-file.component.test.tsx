// @vitest-environment jsdom
import { within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { ApiError } from '../api/api-error.ts'
import { EditTextDialog } from './EditTextDialog.tsx'
import { WriteTextDialog } from './WriteTextDialog.tsx'

describe('a written text', () => {
  async function open(takenNames: string[] = []) {
    const files: File[] = []
    const page = await renderPage(
      <WriteTextDialog
        text=""
        takenNames={takenNames}
        onClose={() => undefined}
        onFile={(file) => files.push(file)}
      />,
    )
    return { page, files }
  }

  it.each([
    ['a/b.txt', 'Contains characters that are not allowed'],
    ['', 'This field is required'],
    ['taken.txt', 'A file with this name has already been chosen'],
    ['é'.repeat(200), 'The name of this file is too long.'],
  ])('cannot be called %j', async (name, message) => {
    const { page, files } = await open(['taken.txt'])
    await page.fill('File name', name)
    await page.fill('Text', 'Hello')
    await page.press('Add')
    expect(page.getByText(message)).toBeTruthy()
    expect(files).toEqual([])
  })

  it('becomes a file', async () => {
    const { page, files } = await open()
    await page.fill('File name', 'hello.txt')
    await page.fill('Text', 'Hello')
    await page.press('Add')
    expect(files.map(({ name, size }) => [name, size])).toEqual([['hello.txt', 5]])
  })
})

describe('an edited text', () => {
  async function open(load: () => Promise<ArrayBuffer>) {
    const told: string[] = []
    const page = await renderPage(
      <EditTextDialog
        file={{ key: 'a', name: 'list.txt', load }}
        onContent={(content) => told.push(content)}
        onClose={() => told.push('closed')}
      />,
    )
    await page.findByRole('dialog', { name: 'Edit list.txt' })
    return { page, told }
  }

  const bytes = (...parts: string[]) => new Blob(parts).arrayBuffer()
  const list = () => bytes('tent\r\nstove\r\n')

  it('is what the file holds next, with the line ends it had', async () => {
    const { page, told } = await open(list)
    await page.findByLabelText('Text')
    await page.fill('Text', 'tent\nrope\n')
    await page.press('Done')
    expect(told).toEqual(['tent\r\nrope\r\n', 'closed'])
  })

  it('leaves the file alone when it is as it was', async () => {
    const { page, told } = await open(list)
    await page.findByLabelText('Text')
    await page.press('Done')
    expect(told).toEqual(['closed'])
  })

  it('is lost only once somebody says so', async () => {
    const { page, told } = await open(list)
    await page.findByLabelText('Text')
    await page.fill('Text', 'rope')
    await page.press('Cancel')
    const question = await page.findByRole('dialog', { name: 'Discard your changes?' })
    await page.user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(page.getByDisplayValue('rope')).toBeTruthy()
    expect(told).toEqual([])
    await page.user.keyboard('{Escape}')
    await page.press('Discard changes')
    expect(told).toEqual(['closed'])
  })

  it('closes at once when nothing would be lost', async () => {
    const { page, told } = await open(list)
    await page.findByLabelText('Text')
    await page.fill('Text', 'rope')
    await page.fill('Text', 'tent\nstove\n')
    await page.user.keyboard('{Escape}')
    expect(told).toEqual(['closed'])
  })

  it.each([
    ['is no text', async () => new Uint8Array([75, 0xe4]).buffer, /is not plain text \(UTF-8\)/],
    ['is gone', () => Promise.reject(new DOMException('moved')), /cannot be read/],
    [
      'the server does not send',
      () => Promise.reject(new ApiError({ status: 429, code: null, message: '' })),
      /Too many attempts/,
    ],
  ])('is not offered for a file that %s', async (_what, load, message) => {
    const { page } = await open(load)
    await page.findByText(message)
    expect(page.queryByLabelText('Text')).toBeNull()
  })
})
