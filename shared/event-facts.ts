/** What webhooks receive of an operation besides its row. */
export interface EventFacts {
  /** Bytes of the file that was written. */
  size?: number
  /** Whether a file gave way to it. */
  replaced?: boolean
  /** Whether a folder was made, moved or deleted. */
  folder?: boolean
  /** Whether what was deleted is in the trash. */
  trashed?: boolean
  /** The names of what was changed in an account. */
  fields?: readonly string[]
  /** Browser and system of a sign-in. */
  agent?: string
  /** An item of a large job: only the end of the job is an event. */
  isBeyond?: boolean
  /** The beginning of the name of a link: too little to open it. */
  link?: string
}
