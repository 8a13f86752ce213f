/** Floe cannot start; the message is one sentence meant for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError'

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }
}
