/** Whether the reference names one image for ever: a tag that tells the version, and the digest. */
export function isPinned(image: string): boolean {
  const [, tag] = /^[^@\s]+:([^:/@\s]+)@sha256:[0-9a-f]{64}$/.exec(image) ?? []
  return tag !== undefined && tag !== 'latest' && /\d/.test(tag)
}
