import { Title } from '@mantine/core'
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { Page } from '../../../shared/components/Page.tsx'
import document from '../../../shared/markdown/Document.module.css'
import type { MarkdownTree } from '../../../shared/markdown/markdown.ts'
import { outsideLink } from '../../../shared/markdown/outside-link.ts'
import { safeRedirect } from '../../../shared/paths.ts'

/** A text of the site's operator, put on the page element by element, never as markup. */
export function LegalDocument({ title, tree }: { title: string; tree: MarkdownTree }) {
  const hasTitle = tree.children.some((node) => node.type === 'element' && node.tagName === 'h1')
  return (
    <Page>
      {!hasTitle && (
        <Title order={1} mb="lg">
          {title}
        </Title>
      )}
      <article className={document.document} dir="auto">
        {toJsxRuntime(tree, { Fragment, jsx, jsxs, components })}
      </article>
    </Page>
  )
}

const components: Partial<Components> = {
  a: ({ href = '', children }) => {
    const target = outsideLink(href) ?? safeRedirect(href)
    return target === null ? <span>{children}</span> : <a href={target}>{children}</a>
  },
  // It would tell another server who reads this.
  img: ({ alt }) => <em>{alt}</em>,
}
