import type { FilePath } from '../../shared/path.ts'

/** The messages that instances send each other, and the payload of each. */
export interface ClusterEvents {
  /**
   * Something in `folder` (absolute in the served root) changed; a removed folder is announced once, for all it held.
   */
  'files.changed': {
    folder: FilePath
    path: FilePath
    change: 'created' | 'replaced' | 'removed'
  }
  /** A user's rights, password or existence changed, or the user was blocked or let in again. */
  'user.changed': { id: number }
  /** The rights of many users changed. */
  'access.changed': Record<string, never>
  /** The settings of the instance changed, among them the global rules. */
  'settings.changed': Record<string, never>
  /** Sessions of a user ended; the remaining ones are in the database. */
  'session.ended': { userId: number }
  /** A personal API token ended. */
  'token.ended': { id: string }
  /** A job began, made progress, ended, or was deleted. */
  'job.changed': { id: string; userId: number }
  /** The user of a job that has just ended has seen its end. */
  'job.seen': { id: string }
  /** A user's change was recorded, has grown, or was undone. */
  'changes.changed': { id: string; userId: number }
  /** Something came into the trash, or left it, that had this place in the served root or one below it. */
  'trash.changed': { place: FilePath }
  /** A file or folder at a place in the served root was locked, or a lock of it ended before its time. */
  'locks.changed': { place: FilePath }
  /** The note of a file or folder at a place in the served root, or a comment on it, was made, changed or removed. */
  'remarks.changed': { place: FilePath }
  /** A job may be due; any instance with a free slot may claim it. */
  'job.waiting': Record<string, never>
  /** Webhooks were added, changed or removed. */
  'webhooks.changed': Record<string, never>
  /** Quotas of users were set, or folders with a quota must be counted. */
  'quotas.changed': Record<string, never>
  /** Events wait for webhooks; any instance may send them. */
  'webhook.waiting': Record<string, never>
  /** Mails wait to be sent; any instance may send them. */
  'mail.waiting': Record<string, never>
  /**
   * A client came back for an upload that another request may still hold; `returns`: it asks for the offset to resume
   * at.
   */
  'upload.wanted': { id: string; returns: boolean }
  /** Messages from other instances may have been lost; an instance publishes this to itself only. */
  'messages.missed': Record<string, never>
}

/** Whether a message was published by this process. */
export type Origin = 'here' | 'elsewhere'

/** How the instances of one installation exchange messages and lock keys. */
export interface Cluster {
  /** Notifies all subscribers: those in this process before it returns, other instances shortly after. */
  publish<N extends keyof ClusterEvents>(name: N, payload: ClusterEvents[N]): void
  /** @returns a function that ends the subscription */
  subscribe<N extends keyof ClusterEvents>(
    name: N,
    listener: (payload: ClusterEvents[N], origin: Origin) => void,
  ): () => void
  /**
   * Runs `act` while holding the lock `key`; waiters of this process are queued in order of arrival.
   * @param act receives whether the lock was held by another caller when it was requested
   * @throws AppError `unavailable` when the instances cannot reach each other
   * @param signal stops waiting (never interrupts `act`) and rejects with its reason
   */
  lock<T>(key: string, act: (waited: boolean) => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}
