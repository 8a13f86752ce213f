/** Has the browser save what is at this address. Going there would have it ask about an upload under way. */
export function save(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Has the browser save a file that the page has made. */
export function saveText({ name, content }: { name: string; content: string }): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'text/plain' }))
  save(address, name)
  URL.revokeObjectURL(address)
}
