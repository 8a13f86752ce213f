/** A secret in fours, as people read it off a screen; authenticators ignore the spaces. */
export function groupSecret(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

/** The lines of a file that keeps recovery codes. */
export function recoveryFile(heading: string, codes: readonly string[]): string {
  return `${[heading, '', ...codes].join('\n')}\n`
}

/** What a file of the app is called on any system: `my-floe-recovery-codes.txt`. */
export function recoveryFileName(appName: string): string {
  const name = appName
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${name === '' ? '' : `${name}-`}recovery-codes.txt`
}
