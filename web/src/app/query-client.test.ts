import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { createQueryClient } from './query-client.ts'

afterEach(() => onlineManager.setOnline(true))

it('does not let a change wait for a connection', async () => {
  onlineManager.setOnline(false)
  const change = new MutationObserver(createQueryClient(), {
    mutationFn: () => Promise.reject(new Error('No response')),
  })
  await expect(change.mutate()).rejects.toThrow('No response')
})
