import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { listCommitted, read } from './repository.ts'

/** Where bytes travel: what one unit changes while it runs has to fit into a reader's head. */
const wayOfBytes =
  /^(packages\/(transfer|storage)|services\/gateway\/src\/proxy|services\/file\/src\/(uploads|downloads|transfers))\/(?!.*\.test\.ts$).*\.ts$/
const most = 6

interface Node {
  type: string
}

test('no function or class on the way of bytes has more than six variables that change', () => {
  const crowded = listCommitted(wayOfBytes).flatMap((path) =>
    unitsOf(parseAst(read(path), { lang: 'ts' }))
      .map((unit) => [path, ...changingNames(unit)])
      .filter((names) => names.length > most + 1),
  )
  expect(crowded).toEqual([])
})

test('what changes is counted once each: variables, and fields outside the constructor', () => {
  const source = `
    class Counter {
      #count = 0; readonly #names: string[]
      constructor(names: string[]) { this.#names = names; this.#names = names }
      add(by: number) { let sum = by; for (let i = 0; i < by; i++) this.#count += 1; this.last = sum }
      reset() { this.#count = 0; this.total++ }
    }
    const run = () => { let a = 1; function inner() { let b = 2; return a + b } return inner() }`
  const units = unitsOf(parseAst(source, { lang: 'ts' }))
  expect(units.map(changingNames)).toEqual([
    ['sum', 'i', '#count', 'last', 'total'],
    ['a', 'b'],
  ])
})

/** Classes and functions that lie in no other. */
function unitsOf(node: unknown): Node[] {
  if (isNode(node) && /^Class|Function/.test(node.type)) return [node]
  return childrenOf(node).flatMap(unitsOf)
}

function changingNames(unit: Node): string[] {
  const names = new Map<string, string>()
  const visit = (node: unknown, isConstructor: boolean): void => {
    if (isNode(node) && node.type === 'VariableDeclaration' && memberOf(node, 'kind') === 'let') {
      for (const declarator of childrenOf(memberOf(node, 'declarations'))) {
        const id = memberOf(declarator, 'id')
        names.set(`let ${String(memberOf(id, 'start'))}`, nameOf(id))
      }
    }
    const field = isConstructor ? null : assignedField(node)
    if (field !== null) names.set(`this ${field}`, field)
    const isInside = isConstructor || memberOf(node, 'kind') === 'constructor'
    for (const child of childrenOf(node)) visit(child, isInside)
  }
  visit(unit, false)
  return [...names.values()]
}

/** Of `this.field = …`, `this.field += …` and `this.field++`. */
function assignedField(node: unknown): string | null {
  if (!isNode(node)) return null
  const targets: Record<string, string> = {
    AssignmentExpression: 'left',
    UpdateExpression: 'argument',
  }
  const target = memberOf(node, targets[node.type] ?? '')
  const object = memberOf(target, 'object')
  if (!isNode(object) || object.type !== 'ThisExpression') return null
  return nameOf(memberOf(target, 'property'))
}

function nameOf(node: unknown): string {
  const name = memberOf(node, 'name')
  if (typeof name !== 'string') return '{…}'
  return isNode(node) && node.type === 'PrivateIdentifier' ? `#${name}` : name
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  )
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined
}

function childrenOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}
