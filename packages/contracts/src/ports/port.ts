import type { z } from 'zod'

/**
 * One call a service offers other services. Inputs and outputs survive JSON. It may arrive twice when
 * a connection breaks: a method is safe to repeat.
 */
export interface PortMethod {
  input: z.ZodType
  output: z.ZodType
}

export interface PortContract {
  name: string
  methods: Record<string, PortMethod>
}

/** The interface that both the local object and the remote client implement. */
export type Port<C extends PortContract> = {
  [M in keyof C['methods']]: (
    input: z.output<C['methods'][M]['input']>,
  ) => Promise<z.output<C['methods'][M]['output']>>
}

export function portPath(contract: PortContract, method: string): string {
  return `/internal/${contract.name}/${method}`
}
