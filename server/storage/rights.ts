/** An account of the operating system. */
export interface Account {
  id: number
  name?: string
}

/** What the operating system says of one thing, and lets this process do with it. */
export interface SystemRights {
  /** POSIX permission bits (0…0o7777). */
  mode: number
  owner: Account
  /** Whom this process runs as. */
  server: Account
  /** For a folder: its list of names, and what is in it. */
  may: { read: boolean; write: boolean }
}
