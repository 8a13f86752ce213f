import { randomBytes } from 'node:crypto'

/** Signs up; the `Cookie` header of the new user. */
export async function createAccount(url: string): Promise<string> {
  const name = `soak${randomBytes(4).toString('hex')}`
  const response = await fetch(`${url}/api/auth/signUp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      email: `${name}@example.com`,
      username: name,
      password: randomBytes(12).toString('hex'),
    }),
  })
  if (response.status !== 201) throw new Error(`sign up: ${response.status}`)
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return pairs.join('; ')
}
