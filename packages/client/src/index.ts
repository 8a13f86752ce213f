export { type Client, createClient, type ClientOptions, unwrap } from './client.ts'
export { FloeError } from './floe-error.ts'
export type { components, operations, paths } from './api.ts'
