/** Has the browser save what is at this address. Going there would have it ask about an upload under way. */
export function save(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
