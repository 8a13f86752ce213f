import type { OwnShare } from '@floe/contracts'
import { expiryOf } from '../../shared/share-link.ts'

export const shareSorts = ['createdAt', 'id', 'name', 'views', 'expiration', 'size'] as const
export type ShareSort = (typeof shareSorts)[number]

interface Arrangement {
  search: string
  sort: ShareSort
  order: 'asc' | 'desc'
}

/** The shares whose link, name or description holds the text, in the order that was asked for. */
export function arrangeShares(
  shares: readonly OwnShare[],
  { search, sort, order }: Arrangement,
  language: string,
): OwnShare[] {
  const text = search.trim().toLocaleLowerCase(language)
  const { compare } = new Intl.Collator(language, { numeric: true })
  const direction = order === 'asc' ? 1 : -1
  return shares
    .filter(({ id, name, description }) =>
      [id, name, description].some((part) => part?.toLocaleLowerCase(language).includes(text)),
    )
    .sort((a, b) => {
      const [left, right] = [valueOf(a, sort), valueOf(b, sort)]
      const difference =
        typeof left === 'string' || typeof right === 'string'
          ? compare(String(left), String(right))
          : compareNumbers(left, right)
      return difference * direction
    })
}

function valueOf(share: OwnShare, sort: ShareSort): string | number {
  switch (sort) {
    case 'createdAt':
      return Date.parse(share.createdAt)
    case 'name':
      return share.name ?? ''
    case 'expiration':
      // One that never ends comes after all that do.
      return expiryOf(share.expiration)?.getTime() ?? Infinity
    default:
      return share[sort]
  }
}

/** Without a subtraction, as two that never end are equal. */
function compareNumbers(left: number, right: number): number {
  return left === right ? 0 : left < right ? -1 : 1
}
