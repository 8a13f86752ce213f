import { describe, expect, test } from 'vitest'
import { type RichText, toRichText } from './to-rich-text.ts'

function read(text: string, fileName = 'a.md') {
  return toRichText({ kind: fileName.endsWith('.md') ? 'markdown' : 'text', fileName, text })
}

function elements(tree: RichText | null) {
  const found: { tag: string; properties: Record<string, unknown> }[] = []
  const visit = (nodes: RichText['children']) => {
    for (const node of nodes) {
      if (node.type !== 'element') continue
      found.push({ tag: node.tagName, properties: node.properties })
      visit(node.children)
    }
  }
  visit(tree?.children ?? [])
  return found
}

const tags = (tree: RichText | null) => elements(tree).map(({ tag }) => tag)

describe('Markdown', () => {
  test('becomes headings, tables, lists with boxes and struck text', async () => {
    const tree = await read(
      '# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n~~gone~~ **bold**',
    )
    expect(tags(tree)).toEqual(expect.arrayContaining(['h1', 'table', 'input', 'del', 'strong']))
  })

  test('colours the code within it', async () => {
    const tree = await read('```ts\nconst a = 1\n```')
    expect(elements(tree)).toContainEqual({
      tag: 'span',
      properties: { className: ['hljs-keyword'] },
    })
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<svg onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<style>* { display: none }</style>',
    'text <b onclick=alert(1)>bold</b>',
  ])('leaves out %s', async (text) => {
    expect(tags(await read(text)).filter((tag) => tag !== 'p')).toEqual([])
  })

  test.each([
    ['quotes', '> '.repeat(2_000)],
    ['lists', '- '.repeat(2_000)],
    ['emphasis', '*a '.repeat(2_000)],
  ])(
    'nested thousands deep in %s is refused or flat, and never ends the reader',
    async (_, text) => {
      const tree = await read(text).catch(() => null)
      expect(elements(tree).length).toBeLessThan(10_000)
    },
  )
})

describe('a text', () => {
  test.each(['main.rs', 'Makefile', 'src/app.tsx', 'page.html', 'Dockerfile', 'a.yml', 'b.conf'])(
    'called %s is coloured',
    async (name) => {
      const text = '# a\nall: "x" <b>\n  FROM fn let const = 1'
      expect(tags(await read(text, name))).toContain('span')
    },
  )

  test.each(['notes.txt', 'server.log', 'README', 'table.csv'])(
    'called %s stays as it is',
    async (name) => {
      expect(await read('const a = 1', name)).toBeNull()
    },
  )

  test('with more colours than a page can hold stays plain', async () => {
    expect(await read(`[${'1,'.repeat(60_000)}1]`, 'a.json')).toBeNull()
  })

  test('keeps every character', async () => {
    const text = '<script>\r\n\tlet a = `${b}` // \u202e\u0000\n'
    const characters = (nodes: RichText['children']): string =>
      nodes
        .map((n) => (n.type === 'element' ? characters(n.children) : 'value' in n ? n.value : ''))
        .join('')
    const tree = await read(text, 'a.html')
    expect(characters(tree?.children ?? [])).toBe(text)
  })
})
