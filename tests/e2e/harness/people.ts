import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { Visitor } from './journey.ts'

export interface Person {
  username: string
  email: string
  password: string
}

export function newPerson(): Person {
  const username = `person_${randomUUID().slice(0, 8)}`
  return { username, email: `${username}@example.org`, password: 'a long enough password' }
}

/** Makes an account and signs the visitor's browser in, without the pages. */
export async function join(
  visitor: Pick<Visitor, 'context'>,
  person = newPerson(),
): Promise<Person> {
  const response = await visitor.context.request.post('/api/auth/signUp', { data: person })
  if (!response.ok()) throw new Error(`sign-up: ${response.status()} ${await response.text()}`)
  return person
}

/** Signs the visitor's browser in to an account there is, without the pages. */
export async function enter(
  { context }: Pick<Visitor, 'context'>,
  { username, password }: Person,
): Promise<void> {
  const response = await context.request.post('/api/auth/signIn', { data: { username, password } })
  if (!response.ok()) throw new Error(`sign-in: ${response.status()} ${await response.text()}`)
}

/** Fills in the sign-up page. */
export async function signUp(page: Page, { username, email, password }: Person): Promise<void> {
  await page.goto('/auth/signUp')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click()
}

/** Fills in the sign-in page that is open. */
export async function signIn(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** By the menu of the bar; ends on the home page. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
}

/** The name of the user this browser is signed in as, `null` once it is nobody. */
export async function nameOf({ context }: Pick<Visitor, 'context'>): Promise<string | null> {
  const response = await context.request.get('/api/users/me')
  if (response.status() === 403) return null
  if (!response.ok()) throw new Error(`me: ${response.status()} ${await response.text()}`)
  const { username } = (await response.json()) as { username: string }
  return username
}

/** Sets configuration values as the administrator `visitor` is. */
export async function configure(
  visitor: Pick<Visitor, 'context'>,
  values: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const response = await visitor.context.request.patch('/api/configs/admin', {
    data: Object.entries(values).map(([key, value]) => ({ key, value })),
  })
  if (!response.ok()) throw new Error(`configs: ${response.status()} ${await response.text()}`)
}
