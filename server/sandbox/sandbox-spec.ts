/** What a program in a sandbox sees of the files that are served. Paths are absolute and of this machine. */
export interface Enclosure {
  /** The one folder it sees; everything else of it is not there. */
  root: string
  /** The opened folder; `undefined` where folders cannot be held open. */
  descriptor: number | undefined
  writable: boolean
  /** What is not to be seen in there. */
  hidden: readonly Hidden[]
  /** Lets go of the folder. */
  close(): void
}

export interface Hidden {
  path: string
  kind: 'file' | 'folder'
}
