export { runBackup } from './backup.ts'
export { runMigrate } from './migrate.ts'
export { runRestore } from './restore.ts'
export { runVerify } from './verify.ts'
