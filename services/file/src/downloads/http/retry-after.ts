import { AppError, isAppError } from '@floe/errors'

/** What is being made is ready soon: clients are told when to ask for it again. */
const retryAfter = { 'Retry-After': '5' }

/** Adds `Retry-After` to the response when `work` fails because what it needs is still made. */
export async function tellWhenToRetry<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    for (const code of ['archive_not_ready', 'digests_not_ready'] as const) {
      if (isAppError(error, code)) throw new AppError(code, { cause: error, headers: retryAfter })
    }
    throw error
  }
}
