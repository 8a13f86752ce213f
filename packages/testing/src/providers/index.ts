export type { OAuthClient } from './authorization-codes.ts'
export {
  type CertifiedProvider,
  type CertifiedProviderOptions,
  startCertifiedProvider,
} from './certified-provider.ts'
export type { ConsentDecision } from './consent-page.ts'
export { type DiscordServer, startDiscordServer } from './discord-server.ts'
export {
  type ForgingProvider,
  type ProviderFault,
  startForgingProvider,
  TENANT_ID,
} from './forging-provider.ts'
export { type GithubServer, startGithubServer } from './github-server.ts'
export { passConsent } from './pass-consent.ts'
export type { ProviderAccount } from './provider-account.ts'
