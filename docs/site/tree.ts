import type { createLowlight } from 'lowlight'

/** A syntax tree of HTML: https://github.com/syntax-tree/hast */
export type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>
export type Node = Tree | Tree['children'][number]
export type Element = Extract<Node, { type: 'element' }>

export function textOf(node: Node): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/** 2 for `<h2>`. */
export function levelOf(node: Node): number | undefined {
  const found = node.type === 'element' ? /^h([1-6])$/.exec(node.tagName) : null
  return found ? Number(found[1]) : undefined
}
