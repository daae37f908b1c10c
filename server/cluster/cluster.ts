import type { FilePath } from '../../shared/path.ts'

/** Names of the messages that instances tell each other, and what each carries. */
export interface ClusterEvents {
  /**
   * Something in `folder` (absolute in the served root) changed; a removed folder is told once, for all it held. For a
   * file that took the place of another, `objects` says which identity gave way to which.
   */
  'files.changed': {
    folder: FilePath
    path: FilePath
    change: 'created' | 'replaced' | 'removed'
    objects?: { was: string; now: string }
  }
  /** A user's rights, password or existence changed. */
  'user.changed': { id: number }
  /** Sessions of a user ended; which are left is in the database. */
  'session.ended': { userId: number }
  /** A job began, came further, or ended, or is gone. */
  'job.changed': { id: string; userId: number }
}

/** How the instances of one installation speak to each other and take turns. */
export interface Cluster {
  publish<N extends keyof ClusterEvents>(name: N, payload: ClusterEvents[N]): void
  /** @returns a function that ends the subscription */
  subscribe<N extends keyof ClusterEvents>(name: N, listener: (payload: ClusterEvents[N]) => void): () => void
  /**
   * Runs `act` while holding the lock `key`; others wait their turn in order of arrival.
   * @param signal gives up waiting (never interrupts `act`) and rejects with its reason
   */
  lock<T>(key: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}
