import { renderMermaidSVG } from 'beautiful-mermaid'
import { visit } from 'unist-util-visit'
import { textOf, type Tree } from './tree.ts'

/** Mermaid's blocks become pictures here, so that no browser has to load what draws them. */
export function drawDiagrams(tree: Tree): void {
  visit(tree, 'element', (pre, index, parent) => {
    const [code] = pre.children
    if (pre.tagName !== 'pre' || code?.type !== 'element' || index === undefined) return
    if (!parent || !String(code.properties['className']).includes('language-mermaid')) return
    const colors = { bg: 'var(--surface)', fg: 'var(--text)', line: 'var(--dimmed)' }
    const svg = renderMermaidSVG(textOf(code), { ...colors, font: 'inherit', transparent: true })
    parent.children[index] = {
      type: 'element',
      tagName: 'div',
      properties: { className: ['diagram'], tabIndex: 0, role: 'group', ariaLabel: 'Diagram' },
      children: [{ type: 'raw', value: svg.replace(/@import[^;]*;/g, '') }],
    }
  })
}
