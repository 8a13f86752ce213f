// `node deploy/generate-secrets.mjs <folder>`: what the parts of docker-compose.yml share with one
// another and nobody else knows, a file for each. What is there already stays as it is, so that an
// upgrade changes nothing.
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Which folder do the secrets belong into?')

keep('internal-secret', random())
keep('s3-access-key', random().slice(0, 20))
keep('s3-secret-key', random())
const postgres = keep('postgres-password', random())
keep('database-url', `postgres://floe:${postgres}@postgres:5432/floe`)
const redis = keep('redis-password', random())
keep('redis-url', `redis://:${redis}@redis:6379`)

function random() {
  return randomBytes(24).toString('hex')
}

/** Writes the file unless it exists, and returns what it holds. Other containers' users read it. */
function keep(name, value) {
  const path = join(folder, name)
  try {
    writeFileSync(path, value, { flag: 'wx', mode: 0o444 })
    return value
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return readFileSync(path, 'utf8')
  }
}
