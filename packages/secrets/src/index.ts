export { createSecrets, type Secrets } from './secrets.ts'
export { loadSecretKey } from './secret-key.ts'
