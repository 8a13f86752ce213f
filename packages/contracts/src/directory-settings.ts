/** Of the LDAP directory whose people may sign in; part of the catalogue of settings. */
export const directorySettings = {
  'ldap.enabled': { type: 'boolean', default: false, public: false },
  /** Several servers of one directory, separated by spaces or commas, are tried in turn. */
  'ldap.url': { type: 'string', default: '', public: false, maxLength: 2_000, format: 'ldap-urls' },
  /** Encrypts connections to `ldap://` addresses before anything else is said. */
  'ldap.startTls': { type: 'boolean', default: false, public: false },
  /** PEM of the only authorities whose certificates count; empty leaves it to those Node.js knows. */
  'ldap.certificate': {
    type: 'text',
    default: '',
    public: false,
    maxLength: 20_000,
    format: 'certificates',
  },
  /** Who searches; empty searches without an account. */
  'ldap.bindDn': { type: 'string', default: '', public: false, maxLength: 1_000 },
  'ldap.bindPassword': {
    type: 'string',
    default: '',
    public: false,
    maxLength: 1_000,
    secret: true,
  },
  'ldap.searchBase': { type: 'string', default: '', public: false, maxLength: 1_000 },
  /** `%username%` is what was typed as user name or e-mail. */
  'ldap.searchQuery': {
    type: 'string',
    default: '(|(uid=%username%)(mail=%username%))',
    public: false,
    maxLength: 1_000,
    format: 'ldap-query',
  },
  /** DNs, one a line: members of any are administrators. Empty leaves administrators alone. */
  'ldap.adminGroups': { type: 'text', default: '', public: false, maxLength: 5_000 },
  'ldap.fieldNameMemberOf': {
    type: 'string',
    default: 'memberOf',
    public: false,
    maxLength: 100,
    format: 'ldap-attribute',
  },
  'ldap.fieldNameEmail': {
    type: 'string',
    default: 'userPrincipalName',
    public: false,
    maxLength: 100,
    format: 'ldap-attribute',
  },
} as const
