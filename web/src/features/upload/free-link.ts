import { generateShareId } from '@floe/contracts'
import { hasCode } from '../../shared/api/api-error.ts'

const LINKS_TO_TRY = 10

/** Nobody chose a made-up link: when it is taken, another does as well. */
export async function createWithFreeLink<T>(
  { first, length }: { first: string; length: number },
  create: (id: string) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await create(tries === 1 ? first : generateShareId(length))
    } catch (error) {
      if (tries >= LINKS_TO_TRY || !hasCode(error, 'share_id_taken')) throw error
    }
  }
}
