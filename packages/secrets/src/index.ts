export { createPasswords, type Passwords } from './passwords.ts'
export { loadSecretKey, secretKeyOf } from './secret-key.ts'
export { createSecrets, type Secrets } from './secrets.ts'
