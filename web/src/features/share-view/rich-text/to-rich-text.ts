import rehypeHighlight from 'rehype-highlight'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { highlighter, languageOf, languages } from './languages.ts'

/** A syntax tree of HTML: https://github.com/syntax-tree/hast */
export type RichText = ReturnType<typeof highlighter.highlight>

export interface RichTextRequest {
  kind: 'markdown' | 'text'
  fileName: string
  text: string
}

/** More than this would keep the page busy when it is put there. */
const MOST_NODES = 40_000
/** What people write is nested ten deep at most. */
const DEEPEST = 100

// GitHub's Markdown. HTML within it is left out: nothing of a file becomes markup of the page.
const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeHighlight, { languages })

/** Null for what reads best as plain text. */
export async function toRichText(request: RichTextRequest): Promise<RichText | null> {
  const tree = await parse(request)
  return tree && isModest(tree) ? tree : null
}

async function parse({ kind, fileName, text }: RichTextRequest): Promise<RichText | null> {
  if (kind === 'markdown') return markdown.run(markdown.parse(text))
  const language = languageOf(fileName)
  return language === null ? null : highlighter.highlight(language, text)
}

/** Told without recursion, which the tree in question would not survive. */
function isModest(tree: RichText): boolean {
  const queue = tree.children.map((node) => ({ node, depth: 1 }))
  let count = queue.length
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { node, depth } = next
    if (node.type !== 'element') continue
    count += node.children.length
    if (count > MOST_NODES || depth >= DEEPEST) return false
    for (const child of node.children) queue.push({ node: child, depth: depth + 1 })
  }
  return true
}
