import { relativeTo } from './addresses.ts'
import type { Rendered } from './markdown.ts'
import type { Chapter, Page } from './pages.ts'
import { readRepositoryFile } from './repository.ts'

export interface Nav {
  chapters: readonly Chapter[]
  /** In the order in which the site is read. */
  menu: readonly Page[]
  titleOf: (page: Page) => string
}

interface Drawing {
  page: Page
  content: Rendered
  nav: Nav
}

const { version } = JSON.parse(readRepositoryFile('package.json')) as { version: string }

/** Chosen once, a scheme is kept; before the first paint, so that nothing flashes. */
const schemeScript = `try{const s=localStorage.getItem('scheme');if(s)document.documentElement.dataset.scheme=s}catch{}`

const icons = {
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  search: '<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>',
  scheme:
    '<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5v17a8.5 8.5 0 0 0 0-17z" fill="currentColor"/>',
}

/** The whole document of a page. */
export function layOut({ page, content, nav }: Drawing): string {
  const to = (path: string) => relativeTo(`${page.path}.html`, path)
  const title = page.path === 'index' ? 'Floe' : `${escape(content.title)} · Floe`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${to('logo.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('style.css')}">
<script>${schemeScript}</script>
<script src="${to('site.js')}" data-root="${to('index.html').replace(/index\.html$/, '')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button class="icon menu-button" type="button" popovertarget="menu" aria-label="Menu">${icon('menu')}</button>
<a class="brand" href="${to('index.html')}"><img src="${to('logo.svg')}" alt="" width="28" height="28">Floe <span>Docs</span></a>
<button class="search-button" type="button" data-search aria-label="Search" hidden>${icon('search')}<span>Search</span><kbd>/</kbd></button>
<button class="icon" type="button" data-scheme-toggle aria-label="Switch between light and dark" hidden>${icon('scheme')}</button>
</header>
<div class="frame">
<nav id="menu" popover aria-label="Pages">
${nav.chapters.map((chapter) => drawChapter(chapter, page, nav, to)).join('\n')}
<p class="version">Version ${version}</p>
</nav>
<main id="content" tabindex="-1"${page.path === 'index' ? ' class="home"' : ''}>
<article>
${content.html}
</article>
${drawNeighbours(page, nav, to)}
</main>
${drawContents(content)}
</div>
</body>
</html>
`
}

function icon(name: keyof typeof icons): string {
  return `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">${icons[name]}</svg>`
}

type To = (path: string) => string

function drawChapter({ title, pages }: Chapter, current: Page, nav: Nav, to: To): string {
  const items = pages.map((page) => {
    const isCurrent = page.path === current.path
    const isAbove = page.path === 'decisions/index' && current.path.startsWith('decisions/')
    const mark = isCurrent ? ' aria-current="page"' : isAbove ? ' aria-current="true"' : ''
    return `<li><a href="${to(`${page.path}.html`)}"${mark}>${escape(nav.titleOf(page))}</a></li>`
  })
  return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}

/** To the page before and the page after. */
function drawNeighbours(page: Page, { menu, titleOf }: Nav, to: To): string {
  const index = menu.findIndex(({ path }) => path === page.path)
  if (index === -1) return ''
  const link = (other: Page | undefined, label: string, name: string) =>
    other
      ? `<a class="${name}" href="${to(`${other.path}.html`)}" rel="${name}"><small>${label}</small>${escape(titleOf(other))}</a>`
      : ''
  const links = [link(menu[index - 1], 'Previous', 'prev'), link(menu[index + 1], 'Next', 'next')]
  return `<nav class="neighbours" aria-label="Neighbouring pages">${links.join('')}</nav>`
}

function drawContents({ sections }: Rendered): string {
  const headings = sections.filter(({ level }) => level === 2 || level === 3)
  if (headings.length < 2) return ''
  const items = headings.map(
    ({ id, level, text }) => `<li class="level-${level}"><a href="#${id}">${escape(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>\n${items.join('\n')}\n</ul></nav>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
