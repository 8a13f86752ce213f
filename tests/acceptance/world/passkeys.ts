/** Shaped like what browsers send, and signed by nobody. */
export const forgedPasskey = {
  id: 'dGhlaXJz',
  rawId: 'dGhlaXJz',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
}

/** The same of one that was made just now. */
export const forgedNewPasskey = {
  id: 'dGhlaXJz',
  rawId: 'dGhlaXJz',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'e30', attestationObject: 'AAAA' },
}
