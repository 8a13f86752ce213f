import { expect, it } from 'vitest'
import { distinctAddresses } from './share-mail.ts'

it('takes one address for each mailbox, as it was spelled first', () => {
  const addresses = ['Ann@example.org', 'bob@example.org', 'ann@Example.org', 'bob@example.org']
  expect(distinctAddresses(addresses)).toEqual(['Ann@example.org', 'bob@example.org'])
})
