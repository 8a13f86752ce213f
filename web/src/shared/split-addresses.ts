interface TextPart {
  text: string
  isAddress: boolean
}

const address = /\bhttps?:\/\/[^\s<>"\u202a-\u202e\u2066-\u2069]+/giu
/** Ends the sentence around an address, not the address. */
const endOfSentence = /[.,;:!?…'’”»、。，；：！？」』）]+$/u

/** The parts of a text in their order: web addresses, and what stands between them. */
export function splitAddresses(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const target = trim(found)
    if (!URL.canParse(target)) continue
    if (index > end) parts.push({ text: text.slice(end, index), isAddress: false })
    parts.push({ text: target, isAddress: true })
    end = index + target.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isAddress: false })
  return parts
}

/** A bracket at the end belongs to the address if one was opened in it. */
function trim(found: string): string {
  const trimmed = found.replace(endOfSentence, '')
  const isStray = [
    ['(', ')'],
    ['[', ']'],
  ].some(
    ([open = '', close = '']) =>
      trimmed.endsWith(close) && trimmed.split(close).length > trimmed.split(open).length,
  )
  return isStray ? trim(trimmed.slice(0, -1)) : trimmed
}
