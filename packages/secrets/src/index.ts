export { createSecrets, type Secrets } from './secrets.ts'
export { loadSecretKey, secretKeyOf } from './secret-key.ts'
