import {
  adminPort,
  authPort,
  filePort,
  type Port,
  type PortContract,
  sharePort,
} from '@floe/contracts'
import { createPortClient } from '@floe/clients'
import { throughContract } from '@floe/http'
import type { PortName, Ports } from '@floe/runtime'

export const portContracts = {
  auth: authPort,
  share: sharePort,
  file: filePort,
  admin: adminPort,
} as const satisfies Record<PortName, PortContract>

export interface PortTable {
  /** Every port; a call before its service is bound fails. */
  ports: Ports
  bind<N extends PortName>(name: N, port: Ports[N]): void
  /** Reaches the service of another process. */
  connect(name: PortName, address: { url: string; secret: string }): void
  close(): void
}

/**
 * Services need one another in circles (share asks file, file asks share), so each gets the table
 * before all of it is filled; by the first request it is.
 */
export function createPortTable({ checked }: { checked: boolean }): PortTable {
  const bound = new Map<PortName, object>()
  const closers: (() => void)[] = []

  const bindAny = (name: PortName, port: object) => {
    const contract: PortContract = portContracts[name]
    bound.set(name, checked ? throughContract(contract, port as Port<PortContract>) : port)
  }

  return {
    ports: {
      auth: forward('auth'),
      share: forward('share'),
      file: forward('file'),
      admin: forward('admin'),
    },
    bind: bindAny,
    connect: (name, address) => {
      const contract: PortContract = portContracts[name]
      const client = createPortClient(contract, address)
      closers.push(client.close)
      bound.set(name, client)
    },
    close: () => closers.forEach((close) => close()),
  }

  function forward<N extends PortName>(name: N): Ports[N] {
    const methods = Object.keys(portContracts[name].methods).map((method) => [
      method,
      (input: unknown) => {
        const port = bound.get(name) as Record<string, (input: unknown) => unknown> | undefined
        if (!port?.[method]) throw new Error(`the ${name} service is not bound`)
        return port[method](input)
      },
    ])
    return Object.fromEntries(methods) as Ports[N]
  }
}
