import type { Language } from '@floe/contracts'
import type { Page } from 'playwright-core'
import type { Journey, Visitor } from './journey.ts'
import { configure, join } from './people.ts'
import { makeShare } from './shares.ts'

/** The screens every language is looked at on, as the person who comes there. */
export const screens = [
  { name: 'home', path: '/', who: 'stranger' },
  { name: 'sign-in', path: '/auth/signIn', who: 'stranger' },
  { name: 'share', path: '/s/harbour-house', who: 'stranger' },
  { name: 'upload', path: '/upload', who: 'member' },
  { name: 'account', path: '/account', who: 'member' },
] as const

export type Screen = (typeof screens)[number]

export const widths = {
  phone: { width: 360, height: 780 },
  desktop: { width: 1280, height: 800 },
}

export interface People {
  member: Visitor
  stranger: Visitor
}

export async function invitePeople(journey: Journey): Promise<People> {
  const member = await journey.visit()
  const stranger = await journey.visit()
  await join(member, {
    username: 'ida',
    email: 'ida@example.org',
    password: 'a long enough password',
  })
  const admin = await journey.visitAsAdministrator()
  await configure(admin, { 'share.userStorageLimit': 20_000_000_000 })
  await admin.leave()
  await makeShare(member.context.request, {
    id: 'harbour-house',
    name: 'Harbour House',
    files: {
      'Plans/Ground floor.pdf': Buffer.alloc(310_000, 1),
      'Plans/First floor.pdf': Buffer.alloc(120_000, 2),
      'Façade.jpg': Buffer.alloc(42_000, 3),
      'Read me.txt': 'Start with the protocol.\n',
    },
  })
  return { member, stranger }
}

/** Shows a screen to the person who comes there, in a language. */
export async function showScreen(
  people: People,
  { path, who }: Screen,
  language: Language,
): Promise<Page> {
  const { context, page } = people[who]
  const { origin } = new URL(page.url())
  await context.addCookies([{ name: 'language', value: language, url: origin }])
  await page.goto(path)
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
  await page.getByRole('heading').first().waitFor()
  return page
}

/**
 * Texts that do not fit, a line each: the page is wider than the window, a box cuts its text off, two
 * texts lie over one another, or a word of a heading or control is broken in two. What stands in front
 * of the page, found by `front`, is looked at alone.
 */
export function findUnfitTexts(page: Page, front?: string): Promise<string[]> {
  return page.evaluate(`(${INSPECT})(${JSON.stringify(front ?? 'body')})`)
}

const INSPECT = `(front) => {
  const root = document.querySelector(front) ?? document.body
  const problems = []
  const lines = []
  const unseen = '[aria-hidden="true"], [inert], script, style, noscript, option'
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent.trim()
    if (text === '' || !element.checkVisibility() || element.closest(unseen)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    for (const rect of rects) lines.push({ text, element, rect })
  }

  // Scripts without spaces break anywhere.
  if (!['ja', 'ko', 'th', 'zh-CN', 'zh-TW'].includes(document.documentElement.lang)) {
    for (const element of root.querySelectorAll('h1, h2, button, label, th')) {
      if (!element.checkVisibility() || getComputedStyle(element).hyphens === 'auto') continue
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const word of node.textContent.matchAll(/\\p{L}+/gu)) {
          const range = document.createRange()
          range.setStart(node, word.index)
          range.setEnd(node, word.index + word[0].length)
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top))
          if (new Set(tops).size > 1) problems.push('broken: ' + word[0])
        }
      }
    }
  }

  const pageWidth = document.documentElement.scrollWidth
  if (pageWidth > window.innerWidth + 1) problems.push('the page is ' + pageWidth + 'px wide')

  // What is for ears alone stands in a box of a pixel.
  const seen = lines.filter((line) => {
    const { text, element, rect } = line
    line.frames = []
    for (let box = element; box !== document.body; box = box.parentElement) {
      const frame = box.getBoundingClientRect()
      const { overflowX } = getComputedStyle(box)
      if (overflowX === 'visible') continue
      line.frames.push({ box, top: frame.top, bottom: frame.bottom })
      if (frame.width <= 1 || frame.height <= 1) return false
      const isCut = rect.right > frame.right + 1 || rect.left < frame.left - 1
      // What can be scrolled to is not lost.
      if (isCut && overflowX !== 'auto') problems.push('cut: ' + text)
      if (isCut) return false
    }
    return true
  })

  // What stays in the window while the page moves lies over whatever comes by.
  const layerOf = (element) => {
    for (let box = element; box; box = box.parentElement) {
      if (['fixed', 'sticky'].includes(getComputedStyle(box).position)) return box
    }
    return null
  }
  for (const one of seen) one.layer = layerOf(one.element)

  // What a box has scrolled out of its sight lies over nothing outside of it.
  const spanBeside = ({ rect, frames }, other) => {
    const around = frames.filter(({ box }) => !box.contains(other.element))
    return {
      top: Math.max(rect.top, ...around.map(({ top }) => top)),
      bottom: Math.min(rect.bottom, ...around.map(({ bottom }) => bottom)),
    }
  }

  seen.forEach((one, index) => {
    for (const other of seen.slice(index + 1)) {
      if (one.layer !== other.layer) continue
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      const left = Math.max(one.rect.left, other.rect.left)
      const width = Math.min(one.rect.right, other.rect.right) - left
      if (width <= 2) continue
      const [span, otherSpan] = [spanBeside(one, other), spanBeside(other, one)]
      const top = Math.max(span.top, otherSpan.top)
      const height = Math.min(span.bottom, otherSpan.bottom) - top
      // Lines of tall scripts may touch.
      if (height > one.rect.height / 3) {
        problems.push('overlap: ' + one.text + ' / ' + other.text)
      }
    }
  })
  return problems
}`
