import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

/** GitHub's Markdown. HTML within it is left out: nothing of a text becomes markup of the page. */
export const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).freeze()

/** A syntax tree of HTML: https://github.com/syntax-tree/hast */
export type MarkdownTree = Awaited<ReturnType<typeof markdown.run>>

/** More than this would keep the page busy when it is put there. */
const MOST_NODES = 40_000
/** What people write is nested ten deep at most. */
const DEEPEST = 100

/** Told without recursion, which the tree in question would not survive. */
export function isModest(tree: MarkdownTree): boolean {
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
