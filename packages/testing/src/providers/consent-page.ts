import type { ProviderAccount } from './provider-account.ts'

/** What the person at the browser decides: to go on as somebody, or an error of the provider. */
export type ConsentDecision = { account: ProviderAccount } | { error: string }

const DECISION_FIELD = 'decision'
const ACCOUNT_FIELD = 'account'
const ALLOW = 'allow'

/**
 * The page a provider asks on: a browser fills in the account as JSON and presses a button, a test
 * over HTTP posts the same form. So who is at the keyboard is decided by the person there, also
 * where the provider runs in another process.
 */
export function consentPage(providerName: string, account: ProviderAccount): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sign in with ${providerName}</title>
<link rel="icon" href="data:,">
<h1>Sign in with ${providerName}</h1>
<form method="post">
<p><label>Account <textarea name="${ACCOUNT_FIELD}" rows="8" cols="60">${escapeHtml(JSON.stringify(account))}</textarea></label>
<p><button name="${DECISION_FIELD}" value="${ALLOW}">Continue</button>
<button name="${DECISION_FIELD}" value="access_denied">Cancel</button>
<button name="${DECISION_FIELD}" value="temporarily_unavailable">Fail</button>
</form>
</html>`
}

/** The form as it is posted. */
export function consentForm(decision: ConsentDecision): URLSearchParams {
  return 'account' in decision
    ? new URLSearchParams({
        [DECISION_FIELD]: ALLOW,
        [ACCOUNT_FIELD]: JSON.stringify(decision.account),
      })
    : new URLSearchParams({ [DECISION_FIELD]: decision.error })
}

/** The decision out of a posted form that a body parser has read. */
export function readConsent(form: Record<string, unknown>): ConsentDecision {
  const decision = String(form[DECISION_FIELD])
  if (decision !== ALLOW) return { error: decision }
  return { account: JSON.parse(String(form[ACCOUNT_FIELD])) as ProviderAccount }
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}
