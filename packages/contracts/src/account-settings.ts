import { MIN_PASSWORD_LENGTH } from './password-length.ts'
import { secondFactorRules } from './second-factor.ts'

/** Who may have an account, and what it takes to stay signed in. */
export const accountSettings = {
  /** Hours until somebody who does not return has to sign in again: 90 days. */
  'general.sessionDuration': {
    type: 'number',
    default: 2_160,
    public: false,
    min: 1,
    max: 87_600,
    unit: 'hour',
  },
  /** Hours after which everybody has to sign in again, however often they return; 0 means never. */
  'general.longestSession': {
    type: 'number',
    default: 0,
    public: false,
    min: 0,
    max: 87_600,
    unit: 'hour',
  },
  /** Who signs up waits until an administrator has approved the account. */
  'general.requireApproval': { type: 'boolean', default: false, public: true },
  /** Who may do nothing before they have set up a second factor. */
  'general.secondFactor': {
    type: 'string',
    default: 'optional',
    public: false,
    choices: secondFactorRules,
  },
  /** Addresses that people may choose for their accounts; empty allows every domain. */
  'general.allowedEmailDomains': emailDomains(),
  /** Counts before those allowed. */
  'general.refusedEmailDomains': emailDomains(),
  /** Characters of a new password; common ones are refused besides. */
  'general.minPasswordLength': {
    type: 'number',
    default: MIN_PASSWORD_LENGTH,
    public: true,
    min: MIN_PASSWORD_LENGTH,
    max: 64,
  },
} as const

function emailDomains() {
  return {
    type: 'string',
    default: '',
    public: false,
    maxLength: 2_000,
    format: 'email-domains',
  } as const
}
