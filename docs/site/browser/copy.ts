/** Browsers offer the clipboard to secure pages only. */
export function addCopyButtons(): void {
  if (!isSecureContext) return
  for (const code of document.querySelectorAll('pre > code')) {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', () => {
      navigator.clipboard.writeText((code.textContent ?? '').replace(/\n$/, '')).then(
        () => (button.textContent = 'Copied'),
        () => (button.textContent = 'Not copied'),
      )
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    code.parentElement?.append(button)
  }
}
