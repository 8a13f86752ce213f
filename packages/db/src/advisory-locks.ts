/**
 * The first of the two integers of every advisory lock Floe takes. They live in one place because
 * a number used twice would make unrelated code wait for each other.
 */
export const advisoryLockClass = {
  /** Held while migrations run; second integer 0. */
  migration: 0x464c_0001,
  /** Held, shared, by each live process; second integer is its instance key. */
  presence: 0x464c_0002,
  /** Held by the process that owns an embedded server; second integer 0. */
  embeddedOwner: 0x464c_0003,
  /** Held while a request decides by the number of users; second integer 0. */
  accounts: 0x464c_0010,
  /** Held while a share is made; second integer is the hash of its maker. */
  emptyShares: 0x464c_0011,
  /** Held by a backup, and shared by all that remove objects at rest; second integer 0. */
  backup: 0x464c_0030,
  /** Held while a process sets up the schedules of jobs; second integer 0. */
  jobSchedules: 0x464c_0020,
} as const
