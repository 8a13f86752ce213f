/** What webhooks are told of shares: their ids and names, those of whom they belong to. */
export function toldOfShare(from: string): { ownerId: string; data: string; from: string } {
  return { ownerId: 'coalesce(creator_id, receiver_id)', data: `'shareId', id, 'name', name`, from }
}
