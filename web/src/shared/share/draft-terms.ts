import type { ExpiryChoice } from './expiry-choice.ts'

/** What the form for a new share holds. */
export interface ShareFormValues {
  id: string
  name: string
  description: string
  password: string
  maxViews: number | ''
  /** Asked only of people without an account, and only by some reverse shares. */
  senderName: string
  recipients: string[]
  restrictToRecipients: boolean
  notifyOnDownload: boolean
}

/** What is filled in while files are sent. */
export interface DraftTerms {
  values: ShareFormValues
  /** `null` proposes one. */
  expiry: ExpiryChoice | null
}
