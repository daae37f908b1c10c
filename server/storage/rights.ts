/** An account of the operating system. */
export interface Account {
  id: number
  name?: string
}

/** The operating system's permissions of an object, and what they allow this process. */
export interface SystemRights {
  /** POSIX permission bits (0…0o7777). */
  mode: number
  owner: Account
  /** The account this process runs as. */
  server: Account
  /** For a folder: listing its names, and changing its content. */
  may: { read: boolean; write: boolean }
}
