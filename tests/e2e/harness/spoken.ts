import type { CDPSession, Page } from 'playwright-core'

interface Value {
  value?: string | number | boolean
}

/** A node of Chromium's accessibility tree, as the DevTools protocol hands it out. */
interface Node {
  nodeId: string
  childIds?: string[]
  ignored: boolean
  role?: Value
  name?: Value
  description?: Value
  properties?: { name: string; value: Value }[]
}

/** What a screen reader says of one thing on the screen. */
interface Spoken {
  role: string
  name: string
  description: string
  states: ReadonlyMap<string, string>
  /** Roles of what it is within, the nearest first. */
  within: readonly string[]
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

function devtoolsOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

const textOf = (value: Value | undefined) => String(value?.value ?? '')
const roleOf = ({ role }: Node) => textOf(role)

/** The tree of the page, or of the dialog that lies in front of it, in the order it is read. */
async function readTree(page: Page): Promise<Spoken[]> {
  const devtools = await devtoolsOf(page)
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: Node[] }
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const spoken: Spoken[] = []
  function visit(node: Node, within: readonly string[]): void {
    const role = roleOf(node)
    if (!node.ignored) {
      spoken.push({
        ...{ role, name: textOf(node.name), description: textOf(node.description), within },
        states: new Map(node.properties?.map(({ name, value }) => [name, textOf(value)])),
      })
    }
    const inside = node.ignored ? within : [role, ...within]
    for (const id of node.childIds ?? []) {
      const child = byId.get(id)
      if (child) visit(child, inside)
    }
  }
  const front = nodes.findLast((node) => !node.ignored && roleOf(node) === 'dialog') ?? nodes[0]
  if (front) visit(front, [])
  return spoken
}

const controls = new Set([
  ...['button', 'link', 'textbox', 'searchbox', 'spinbutton', 'combobox', 'checkbox', 'switch'],
  ...['radio', 'radiogroup', 'menu', 'menuitem', 'tab', 'slider', 'progressbar', 'meter'],
])
const landmarks = new Set(['dialog', 'navigation', 'region'])
const told = new Set([...controls, ...landmarks, 'heading', 'columnheader'])
const flags = ['disabled', 'checked', 'pressed', 'expanded', 'invalid']

/** One line for each heading, control and head of a column, with what describes it. */
export async function readAloud(page: Page): Promise<string[]> {
  const spoken = await readTree(page)
  return spoken
    .filter(({ role }) => told.has(role))
    .map(({ role, name, description, states }) => {
      const level = role === 'heading' ? ` ${states.get('level')}` : ''
      const isMore = description !== '' && description !== name && role !== 'dialog'
      const on = flags.filter((flag) => ['true', 'mixed'].includes(states.get(flag) ?? ''))
      return [
        `${role}${level}: ${name}`,
        ...(isMore ? [`(${description})`] : []),
        ...on.map((flag) => `[${flag}]`),
      ].join(' ')
    })
}

/** What somebody who only listens could not make out. */
export async function findMute(page: Page): Promise<string[]> {
  const spoken = await readTree(page)
  const hasDialog = spoken[0]?.role === 'dialog'
  const nameless = spoken
    .filter(({ role, name }) => (controls.has(role) || landmarks.has(role)) && name === '')
    .map(({ role, within }) => `a ${role} without a name, within ${within.slice(0, 3).join(', ')}`)
  const levels = spoken
    .filter(({ role }) => role === 'heading')
    .map(({ states }) => Number(states.get('level')))
  const firsts = levels.filter((level) => level === 1).length
  const skipped = levels.filter((level, place) => level > (levels[place - 1] ?? level) + 1)
  const tables = spoken.filter(({ role }) => role === 'table').length
  const headed = spoken.filter(
    ({ role, within }, place) =>
      role === 'columnheader' &&
      within.includes('table') &&
      spoken.slice(0, place).findLast((one) => ['table', 'columnheader'].includes(one.role))
        ?.role === 'table',
  ).length
  return [
    ...nameless,
    ...(hasDialog || firsts === 1 ? [] : [`${firsts} headings of level 1`]),
    ...skipped.map((level) => `a heading of level ${level} below one that is higher by two`),
    ...(headed === tables ? [] : [`${tables - headed} tables without heads`]),
  ]
}
