import { isIP } from 'node:net'
import { z } from 'zod'

/** An address, or a name: one whose last part begins with a digit is a mistyped address. */
export const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || (/^[\w-]+(\.[\w-]+)*$/.test(text) && !/\.\d[^.]*$/.test(text)),
    'must be an address or a host name',
  )

/** Addresses and ranges, with commas between them. */
export const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const entries = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    for (const entry of entries.filter((candidate) => !isAddressOrRange(candidate))) {
      context.addIssue(`"${entry}" is neither an address nor a CIDR range`)
    }
    return entries
  })

function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}
