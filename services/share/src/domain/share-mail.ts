/**
 * Why a share owes somebody a message: its link to a `recipient`; to the owner of a reverse share
 * that something was `received`; to its creator that it was `downloaded`, or as a `reminder` that
 * nobody did, or that a file is `infected`.
 */
export type ShareMailKind = 'recipient' | 'received' | 'downloaded' | 'reminder' | 'infected'

export interface ShareMail {
  id: string
  shareUid: string
  kind: ShareMailKind
  /** For a `recipient` the address, in lower case; for what is `infected` the id of the file. */
  occasion: string
}

/** One person is written to once, however the address is spelled. */
export function mailboxOf(address: string): string {
  return address.toLowerCase()
}

/** Removes repetitions of a mailbox; the first spelling stays. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const byMailbox = new Map<string, string>()
  for (const address of addresses) {
    const mailbox = mailboxOf(address)
    if (!byMailbox.has(mailbox)) byMailbox.set(mailbox, address)
  }
  return [...byMailbox.values()]
}
