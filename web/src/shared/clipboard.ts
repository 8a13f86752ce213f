/**
 * Copies text. `navigator.clipboard` only exists on https and localhost; elsewhere a selected field
 * and the old command do it. `false` when the browser refuses both.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // A browser may refuse the permission; the old way still works then.
    }
  }
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Inside an open dialog, which keeps the focus to itself.
  const home = document.querySelector('[role="dialog"]') ?? document.body
  const focused = document.activeElement
  home.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
