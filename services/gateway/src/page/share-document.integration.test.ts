import { afterEach, expect, test } from 'vitest'
import { send } from '../testing/gateway-rig.ts'
import { createPageRigs, viewOf } from '../testing/page-rig.ts'

// What the shell draws of this stands beside it, in `web/src/app/shell/shell.test.ts`.

const { startWithPages, closeAll } = createPageRigs()
afterEach(closeAll)

const sharePreview = {
  name: 'Holiday',
  senderName: null,
  expiresAt: null,
  fileCount: 3,
  sizeBytes: 6,
  coming: null,
  isEncrypted: false,
  download: 'zip' as const,
}
const shareContents = {
  ...sharePreview,
  name: '</noscript><script>x</script>',
  description: 'A <b>note</b>',
  files: ['a', 'b', 'c'].map((letter) => ({
    id: `6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f1${letter}`,
    name: `${letter}".txt`,
    sizeBytes: 2,
  })),
}

test('the page of a share may be opened by a form, and has tags for previews', async () => {
  const rig = await startWithPages({ shareRefusal: 'share_token_required', sharePreview })
  const { text, headers } = await send(rig, '/share/holiday')
  expect(viewOf(text).share).toEqual({
    ...{ id: 'holiday', preview: sharePreview, contents: null, refusal: null, formRefusal: null },
    isCodeRequested: false,
  })
  const asked = await send(rig, '/share/holiday?codeRequested=1')
  expect(viewOf(asked.text).share).toMatchObject({ isCodeRequested: true })
  expect(text).toContain('<title>Holiday – Floe</title>')
  expect(text).toContain('<meta property="og:title" content="Holiday" />')
  expect(text).not.toContain('og:url')
  expect(headers['content-security-policy']).toContain("form-action 'self'")
  expect(text.match(/<script/g)).toHaveLength(1)
})

test('a slash at the end leads to the same share', async () => {
  const rig = await startWithPages({ shareRefusal: 'share_token_required', sharePreview })
  expect(viewOf((await send(rig, '/share/holiday/')).text).share?.id).toBe('holiday')
})

test('people who were let in get the files, and previews tell nothing of them', async () => {
  const rig = await startWithPages({
    shareRefusal: 'private_share',
    receiverToken: 'theirs',
    shareContents,
  })
  const { text } = await send(rig, '/share/holiday', {
    headers: { Cookie: 'access_token=theirs' },
  })
  expect(viewOf(text).share?.contents).toEqual(shareContents)
  expect(text.match(/<script/g)).toHaveLength(1)
  expect(text).toContain('<meta property="og:title" content="Floe" />')
})

test('a share that does not open says why, and nothing of itself', async () => {
  for (const shareRefusal of ['share_removed', 'share_password_required'] as const) {
    const rig = await startWithPages({ shareRefusal, shareContents })
    expect(viewOf((await send(rig, '/share/holiday')).text).share).toMatchObject({
      ...{ preview: null, contents: null },
      refusal: { code: shareRefusal, message: 'Why it was refused', isEncrypted: false },
    })
  }
})

test('of an encrypted share with a password it is told that it is encrypted', async () => {
  const rig = await startWithPages({ shareRefusal: 'share_password_required', isEncrypted: true })
  const { share, boot } = viewOf((await send(rig, '/share/holiday')).text)
  expect(share?.refusal).toMatchObject({ code: 'share_password_required', isEncrypted: true })
  expect(boot.share).toEqual({
    ...{ id: 'holiday', refusal: 'share_password_required', isEncrypted: true },
  })
})

test('a path that is no share is told apart from one that nobody could judge', async () => {
  const rig = await startWithPages({ shareRefusal: 'upstream_unavailable' })
  const shareAt = async (path: string) => viewOf((await send(rig, path)).text).share
  const refused = { message: '', isEncrypted: false }
  expect((await shareAt('/share/a%2Fb'))?.refusal).toEqual({ code: 'share_not_found', ...refused })
  expect((await shareAt('/share/holiday'))?.refusal).toEqual({ code: null, ...refused })
  expect(await shareAt('/upload')).toBeNull()
})

test('what a form did not open is told, and nothing that a link makes up', async () => {
  const rig = await startWithPages({ shareRefusal: 'share_password_required' })
  const refusalAt = async (query: string) =>
    viewOf((await send(rig, `/share/holiday${query}`)).text).share?.formRefusal
  expect(await refusalAt('?refused=wrong_password')).toBe('wrong_password')
  for (const query of ['', '?refused=%3Cb%3E', '?refused[]=wrong_password', '?refused=']) {
    expect(await refusalAt(query), query).toBeNull()
  }
})

test('previews name the configured address of the site, whatever host the client names', async () => {
  const settings = { 'general.appUrl': 'https://floe.example' }
  const rig = await startWithPages({ settings, sharePreview })
  const imageFor = async (host: string) => {
    const { text } = await send(rig, '/share/holiday', { headers: { Host: host } })
    return /"og:image" content="([^"]*)"/.exec(text)?.[1]
  }
  expect(await imageFor('evil.example')).toBe('https://floe.example/img/logo.png?v=1.2.3')
})
