/** What confirms a sensitive change; an account without a password sends none. */
export interface Confirmation {
  password?: string
}
