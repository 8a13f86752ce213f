import apache from 'highlight.js/lib/languages/apache'
import http from 'highlight.js/lib/languages/http'
import nginx from 'highlight.js/lib/languages/nginx'
import { common } from 'lowlight'
import rehypeHighlight from 'rehype-highlight'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { drawDiagrams } from './diagrams.ts'
import { pairScreenshots } from './screenshots.ts'
import { type Element, levelOf, type Node, textOf, type Tree } from './tree.ts'

export interface Heading {
  id: string
  /** 1 for the title of the page. */
  level: number
  text: string
}

/** A part of a page that search leads to, from one heading to the next. */
export interface Section extends Heading {
  body: string
}

export interface Rendered {
  html: string
  title: string
  /** In the order of the page, its title first. */
  sections: Section[]
}

const toMarkdownTree = unified().use(remarkParse).use(remarkGfm).use(remarkRehype)
// Without Caddy's own format, which highlight.js does not know.
const finish = unified()
  .use(rehypeSlug)
  .use(rehypeHighlight, { languages: { ...common, apache, http, nginx }, plainText: ['caddyfile'] })
// Raw are the diagrams alone: HTML in Markdown is left out.
const toHtml = unified().use(rehypeStringify, { allowDangerousHtml: true })

/** `rewrite` gets each address as the Markdown has it and returns the one of the site. */
export async function renderMarkdown(
  markdown: string,
  rewrite: (url: string) => string,
): Promise<Rendered> {
  const tree = await toMarkdownTree.run(toMarkdownTree.parse(markdown))
  nameHeadings(tree)
  drawDiagrams(tree)
  await finish.run(tree)
  rewriteAddresses(tree, rewrite)
  pairScreenshots(tree)
  const sections = readSections(tree)
  enableScrolling(tree)
  linkHeadings(tree)
  return { html: toHtml.stringify(tree), title: sections[0]?.text ?? '', sections }
}

/** `## Title {#id}` names a heading that is linked by something steadier than its words. */
function nameHeadings(tree: Tree): void {
  visit(tree, 'element', (heading) => {
    const last = heading.children.at(-1)
    if (levelOf(heading) === undefined || last?.type !== 'text') return
    const [whole = '', id] = / \{#([\w-]+)\}$/.exec(last.value) ?? []
    if (id === undefined) return
    last.value = last.value.slice(0, -whole.length)
    heading.properties['id'] = id
  })
}

function rewriteAddresses(tree: Tree, rewrite: (url: string) => string): void {
  visit(tree, 'element', ({ properties }) => {
    for (const name of ['href', 'src'] as const) {
      const url = properties[name]
      if (typeof url === 'string') properties[name] = rewrite(url)
    }
  })
}

function readSections(tree: Tree): Section[] {
  const sections: Section[] = []
  for (const node of tree.children) {
    const level = levelOf(node)
    if (node.type === 'element' && level !== undefined) {
      const id = String(node.properties['id'])
      sections.push({ id, level, text: textOf(node), body: '' })
    } else {
      const section = sections.at(-1)
      if (section) section.body = `${section.body} ${readWords(node)}`.trim()
    }
  }
  return sections
}

/** Cells and lines of lists are words of their own. */
function readWords(node: Node): string {
  if (node.type === 'text') return node.value
  if (!('children' in node) || (node.type === 'element' && node.tagName === 'svg')) return ''
  const words = node.children.map(readWords).join('')
  const isBlock = node.type === 'element' && /^(?:p|li|t[dhr]|pre)$/.test(node.tagName)
  return isBlock ? `${words} ` : words
}

/** Wide tables and long lines scroll by themselves, by keyboard too. */
function enableScrolling(tree: Tree): void {
  visit(tree, 'element', (table, index, parent) => {
    const [code] = table.children
    if (table.tagName === 'pre' && code?.type === 'element') code.properties['tabIndex'] = 0
    if (table.tagName !== 'table' || index === undefined || !parent) return
    if (parent.type === 'element' && parent.tagName === 'div') return
    nameCells(table)
    const properties = { className: ['table'], tabIndex: 0, role: 'group', ariaLabel: 'Table' }
    parent.children[index] = { type: 'element', tagName: 'div', properties, children: [table] }
  })
}

/** Each cell gets the head of its column, for windows that are too narrow for columns. */
function nameCells(table: Element): void {
  const heads: string[] = []
  visit(table, 'element', (row) => {
    if (row.tagName !== 'tr') return
    const cells = row.children.filter((cell) => cell.type === 'element')
    for (const [column, cell] of cells.entries()) {
      if (cell.tagName === 'th') heads[column] = textOf(cell)
      else cell.properties['dataHead'] = heads[column] ?? ''
    }
  })
}

function linkHeadings(tree: Tree): void {
  visit(tree, 'element', (heading) => {
    const level = levelOf(heading)
    if (level === undefined || level === 1) return
    heading.children.push({
      type: 'element',
      tagName: 'a',
      properties: {
        className: ['anchor'],
        href: `#${String(heading.properties['id'])}`,
        ariaLabel: `Link to “${textOf(heading)}”`,
      },
      children: [{ type: 'text', value: '#' }],
    })
  })
}
