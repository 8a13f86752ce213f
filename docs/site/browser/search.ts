import MiniSearch from 'minisearch'
import type { SearchEntry } from '../build.ts'

type Found = SearchEntry & { terms: string[] }
type Search = (text: string) => Found[]

const MOST_RESULTS = 30
const SNIPPET_CHARACTERS = 140
const script = document.querySelector<HTMLScriptElement>('script[data-root]')
const root = script?.dataset['root'] ?? ''

/** A dialog over the page, opened by the button, `/` or Ctrl K. */
export function enableSearch(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-search]')
  if (!button) return
  button.hidden = false
  const dialog = createDialog()
  button.addEventListener('click', () => open(dialog))
  document.addEventListener('keydown', (event) => {
    const isShortcut =
      event.key === '/' || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey))
    if (!isShortcut || dialog.open) return
    event.preventDefault()
    open(dialog)
  })
}

function open(dialog: HTMLDialogElement): void {
  dialog.showModal()
  dialog.querySelector('input')?.select()
}

function createDialog(): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.className = 'search'
  dialog.setAttribute('aria-label', 'Search')
  dialog.innerHTML = `<form method="dialog">
      <input enterkeyhint="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off"
        spellcheck="false" role="combobox" aria-expanded="true" aria-controls="results">
      <button class="close">Close</button>
    </form>
    <div id="results" role="listbox" aria-label="Results"></div>
    <p role="status"></p>`
  document.body.append(dialog)
  const input = dialog.querySelector('input')
  input?.addEventListener('input', () => {
    loadSearch().then(
      (search) => show(dialog, input.value.trim(), search),
      () => say(dialog, 'The search index could not be loaded.'),
    )
  })
  input?.addEventListener('keydown', (event) => choose(dialog, event))
  // Outside of what the dialog contains is its backdrop.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  return dialog
}

let loaded: Promise<Search> | undefined

/** By a script of its own, which browsers load from a folder too. */
function loadSearch(): Promise<Search> {
  loaded ??= new Promise<Search>((resolve, reject) => {
    const element = document.createElement('script')
    element.src = `${root}search-index.js`
    element.addEventListener('load', () => resolve(createSearch(globalThis.searchEntries)))
    element.addEventListener('error', () => {
      loaded = undefined
      reject(new Error('The index is not there'))
    })
    document.head.append(element)
  })
  return loaded
}

declare global {
  /** What the script of the index sets. */
  var searchEntries: SearchEntry[]
}

function createSearch(entries: SearchEntry[]): Search {
  const index = new MiniSearch<SearchEntry>({
    idField: 'url',
    fields: ['page', 'heading', 'text'],
    // Names such as `DATA_DIR` are one word.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean),
  })
  index.addAll(entries)
  const byUrl = new Map(entries.map((entry) => [entry.url, entry]))
  const options = {
    boost: { heading: 4, page: 3 },
    prefix: true,
    // Short words are names such as S3, which no other is meant by.
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND' as const,
    // Guides come before the reference, the records and what contributors read.
    boostDocument: (url: string) =>
      /^(?:api\/|decisions\/|changelog|contributing|architecture|administer\/settings)/.test(url)
        ? 0.4
        : 1,
  }
  return (text) =>
    index.search(text, options).flatMap(({ id, terms }) => {
      const entry = byUrl.get(String(id))
      return entry ? [{ ...entry, terms }] : []
    })
}

function show(dialog: HTMLDialogElement, text: string, search: Search): void {
  const found = text === '' ? [] : search(text)
  const rows = found.slice(0, MOST_RESULTS).map((entry, index) => {
    const link = document.createElement('a')
    const href = `${root}${entry.url}`
    Object.assign(link, { href, role: 'option', id: `result-${index}`, tabIndex: -1 })
    link.addEventListener('click', () => dialog.close())
    link.append(line('strong', entry.heading, entry.terms))
    if (entry.heading !== entry.page) link.append(line('small', entry.page, []))
    link.append(line('span', snippetOf(entry), entry.terms))
    return link
  })
  dialog.querySelector('#results')?.replaceChildren(...rows)
  const isNothing = text !== '' && found.length === 0
  say(dialog, isNothing ? `Nothing found for “${text}”.` : '')
  markSelected(dialog, 0)
}

function say(dialog: HTMLDialogElement, text: string): void {
  const status = dialog.querySelector('[role=status]')
  if (status) status.textContent = text
}

function line(tag: 'strong' | 'small' | 'span', text: string, terms: string[]): HTMLElement {
  const element = document.createElement(tag)
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = words.length > 0 ? new RegExp(`(${words.join('|')})`, 'gi') : undefined
  for (const [index, part] of (pattern ? text.split(pattern) : [text]).entries()) {
    const isTerm = index % 2 === 1
    const node = isTerm ? document.createElement('mark') : document.createTextNode(part)
    if (isTerm) node.textContent = part
    element.append(node)
  }
  return element
}

/** The text around the first word that was looked for. */
function snippetOf({ text, terms }: Found): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - 40)
  const from = places.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1
  const part = text.slice(from, from + SNIPPET_CHARACTERS)
  return `${from > 0 ? '… ' : ''}${part}${from + SNIPPET_CHARACTERS < text.length ? ' …' : ''}`
}

function listRows(dialog: HTMLDialogElement): HTMLAnchorElement[] {
  return [...dialog.querySelectorAll<HTMLAnchorElement>('[role=option]')]
}

function choose(dialog: HTMLDialogElement, event: KeyboardEvent): void {
  const rows = listRows(dialog)
  const current = rows.findIndex((row) => row.getAttribute('aria-selected') === 'true')
  if (event.key === 'Enter') {
    event.preventDefault()
    rows[current]?.click()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || rows.length === 0) return
  event.preventDefault()
  markSelected(dialog, (current + step + rows.length) % rows.length)
}

function markSelected(dialog: HTMLDialogElement, selected: number): void {
  const rows = listRows(dialog)
  for (const [index, row] of rows.entries()) {
    row.setAttribute('aria-selected', String(index === selected))
    if (index === selected) row.scrollIntoView({ block: 'nearest' })
  }
  const input = dialog.querySelector('input')
  if (rows[selected]) input?.setAttribute('aria-activedescendant', `result-${selected}`)
  else input?.removeAttribute('aria-activedescendant')
}
