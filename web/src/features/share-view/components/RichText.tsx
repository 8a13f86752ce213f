import type { SharedFile } from '@floe/contracts'
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { outsideLink } from '../../../shared/markdown/outside-link.ts'
import { type ShareAddresses, useShareAddresses } from '../share-addresses.ts'
import { fileReferredTo } from '../rich-text/links.ts'
import type { RichText as Tree } from '../rich-text/to-rich-text.ts'
import classes from './RichText.module.css'

/** Where a text is found: what it refers to is looked for around it. */
export interface Place {
  shareId: string
  files: readonly SharedFile[]
  fileName: string
}

/**
 * Puts a tree on the page element by element, never as markup. Links open elsewhere, pictures come
 * from the share alone: one from outside would tell another server that it was opened.
 */
export function RichText({ tree, place }: { tree: Tree; place: Place }) {
  const { t } = useTranslation()
  const addresses = useShareAddresses()
  return useMemo(
    () =>
      toJsxRuntime(tree, { Fragment, jsx, jsxs, components: componentsFor(place, addresses, t) }),
    [tree, place, addresses, t],
  )
}

function componentsFor(
  { shareId, files, fileName }: Place,
  addresses: ShareAddresses,
  t: TFunction,
): Partial<Components> {
  const addressOf = (reference = '') => {
    const file = fileReferredTo(files, fileName, reference)
    return file && `${addresses.file(shareId, file.id)}?download=false`
  }
  return {
    a: ({ href, children }) => {
      const target = outsideLink(href ?? '') ?? addressOf(href)
      if (!target) return <span>{children}</span>
      return (
        <a href={target} target="_blank" rel="noreferrer nofollow">
          {children}
        </a>
      )
    },
    img: ({ src, alt }) => {
      const address = addressOf(typeof src === 'string' ? src : '')
      return address ? <img src={address} alt={alt ?? ''} loading="lazy" /> : <em>{alt}</em>
    },
    // The only field that Markdown knows is the box of a task.
    input: ({ checked }) => (
      <input
        type="checkbox"
        checked={checked ?? false}
        disabled
        aria-label={t(checked ? 'share.preview.taskDone' : 'share.preview.taskOpen')}
      />
    ),
    // Wide ones scroll by themselves.
    table: ({ children }) => (
      <div className={classes.wide} tabIndex={0}>
        <table>{children}</table>
      </div>
    ),
    pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  }
}
