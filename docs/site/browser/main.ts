import { followContents } from './contents.ts'
import { addCopyButtons } from './copy.ts'
import { enableScheme } from './scheme.ts'
import { enableSearch } from './search.ts'

// Everything here adds to pages that can be read without it.
enableScheme()
enableSearch()
addCopyButtons()
followContents()
showCurrentEntry()

/** The menu may be longer than the window. */
function showCurrentEntry(): void {
  const menu = document.querySelector('#menu')
  const entry = menu?.querySelector<HTMLElement>('[aria-current]')
  if (menu && entry) menu.scrollTop = entry.offsetTop - menu.clientHeight / 2
}
