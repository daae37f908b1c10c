/** The served files that a program in a sandbox sees. Paths are absolute, on this host. */
export interface SandboxSpec {
  /** The only folder it sees. */
  root: string
  /** The opened folder; `undefined` where folders cannot be held open. */
  descriptor: number | undefined
  writable: boolean
  /** Hidden paths in it. */
  hidden: readonly Hidden[]
  /** Bytes in each of its folders for temporary files; `SANDBOX_LIMITS.temporary` by default. */
  temporary?: number
  /** Closes the folder. */
  close(): void
}

export interface Hidden {
  path: string
  kind: 'file' | 'folder'
}
