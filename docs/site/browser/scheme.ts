/** Light or dark by hand; until somebody chooses, that of the system. */
export function enableScheme(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-scheme-toggle]')
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => {
    const { dataset } = document.documentElement
    const isDark = dataset['scheme']
      ? dataset['scheme'] === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    dataset['scheme'] = isDark ? 'light' : 'dark'
    try {
      localStorage.setItem('scheme', dataset['scheme'])
    } catch {
      // Without storage, the choice is that of this page alone.
    }
  })
}
