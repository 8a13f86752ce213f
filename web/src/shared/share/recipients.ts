import { emailSchema } from '@floe/contracts'

/** A share has no more than these. */
export const MAX_RECIPIENTS = 100

const quotedName = /"[^"]*"/g
const inBrackets = /<([^<>]*)>/

/** As mail programs write a list: `Ida Holm <ida@example.org>; jonas@example.org`. */
export function splitRecipients(text: string): string[] {
  return text
    .replaceAll(quotedName, ' ')
    .split(/[,;\n\r]+/)
    .flatMap((part) => inBrackets.exec(part)?.[1]?.trim() ?? part.split(/\s+/))
    .filter((address) => address !== '')
}

/** Each recipient is on the list once, however the address is spelt. */
export function addRecipients(list: readonly string[], added: readonly string[]): string[] {
  const known = new Set(list.map((address) => address.toLowerCase()))
  const result = [...list]
  for (const address of added) {
    if (known.has(address.toLowerCase())) continue
    known.add(address.toLowerCase())
    result.push(address)
  }
  return result
}

export function isRecipient(address: string): boolean {
  return emailSchema.safeParse(address).success
}
