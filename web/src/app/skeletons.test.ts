// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { expect, it } from 'vitest'
import { RowsSkeleton } from '../shared/components/RowsSkeleton.tsx'
import { renderPage } from '../testing/render-page.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'

it.each([
  ['a page', PageSkeleton],
  ['rows', RowsSkeleton],
])('what stands in for %s keeps its place, and shows after 300 ms', async (_, Skeleton) => {
  await renderPage(createElement(Skeleton))
  const style = document.createElement('style')
  // Imported, it would be empty: tests go without styles.
  style.textContent = readFileSync(`${import.meta.dirname}/global.css`, 'utf8')
  document.head.append(style)
  const parts = [...document.querySelectorAll('[data-visible]')]
  expect(parts.length).toBeGreaterThan(2)
  for (const part of parts) {
    const { animationName, animationDelay, animationFillMode } = getComputedStyle(part)
    expect({ animationName, animationDelay, animationFillMode }).toEqual({
      animationName: 'appear',
      animationDelay: '300ms',
      animationFillMode: 'backwards',
    })
  }
  expect(style.textContent).toMatch(
    /@keyframes appear \{\s*from \{\s*visibility: hidden;\s*\}\s*\}/,
  )
})
