import type { FilePath } from '../../shared/path.ts'

/** Names of the messages that instances tell each other, and what each carries. */
export interface ClusterEvents {
  /**
   * Something in `folder` (absolute in the served root) changed; a removed folder is told once, for all it held.
   */
  'files.changed': {
    folder: FilePath
    path: FilePath
    change: 'created' | 'replaced' | 'removed'
  }
  /** A user's rights, password or existence changed. */
  'user.changed': { id: number }
  /** The settings of the instance changed, among them the rules for everybody. */
  'settings.changed': Record<string, never>
  /** Sessions of a user ended; which are left is in the database. */
  'session.ended': { userId: number }
  /** A job began, came further, or ended, or is gone. */
  'job.changed': { id: string; userId: number }
  /** There may be a job for whoever has room for one. */
  'job.waiting': Record<string, never>
  /** A client came back for an upload that another request may still hold; `returns`: it asks where to go on. */
  'upload.wanted': { id: string; returns: boolean }
  /** Messages of others may have been lost; only ever told by an instance to itself. */
  'messages.missed': Record<string, never>
}

/** Whether a message was published by this process. */
export type Origin = 'here' | 'elsewhere'

/** How the instances of one installation speak to each other and take turns. */
export interface Cluster {
  /** Tells everybody: those in this process before it returns, others a moment later. */
  publish<N extends keyof ClusterEvents>(name: N, payload: ClusterEvents[N]): void
  /** @returns a function that ends the subscription */
  subscribe<N extends keyof ClusterEvents>(
    name: N,
    listener: (payload: ClusterEvents[N], origin: Origin) => void,
  ): () => void
  /**
   * Runs `act` while holding the lock `key`; others of this process wait their turn in order of arrival.
   * @param act is told whether it waited for somebody else who held the lock
   * @throws AppError `unavailable` when the instances cannot speak to each other
   * @param signal gives up waiting (never interrupts `act`) and rejects with its reason
   */
  lock<T>(key: string, act: (waited: boolean) => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}
