import { type ComponentType, createElement, lazy, type ReactNode } from 'react'

const renewals = new Set<() => void>()

/**
 * A part of the page that is loaded when it is first shown. React never asks again for one that did
 * not arrive: `renewLostParts` has it asked for once more.
 */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  partOf: (module: Module) => ComponentType<Props>,
): (props: Props) => ReactNode {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: partOf(await load()) }
      } catch (error) {
        renewals.add(() => (Part = begin()))
        throw error
      }
    })
  let Part = begin()
  return (props) => createElement(Part, props)
}

/** What did not arrive is asked for again when it is shown the next time. */
export function renewLostParts(): void {
  for (const renew of renewals) renew()
  renewals.clear()
}
