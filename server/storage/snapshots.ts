import type { PathGuard } from './guard.ts'

/** What made a snapshot: the layout in which it was found. */
export const SNAPSHOT_SOURCES = ['zfs', 'snapper', 'folder', 'pattern'] as const
export type SnapshotSource = (typeof SNAPSHOT_SOURCES)[number]

/** An earlier state of the root of a store, made by its file system. */
export interface Snapshot {
  /** For `open`; the same as long as the snapshot exists. */
  id: string
  /** Its name on the host. */
  name: string
  /** When it was made, in milliseconds since the epoch. */
  time: number
  source: SnapshotSource
}

/** @template Store a storage driver */
export interface SnapshotsIn<Store> {
  /** Snapshots that contain the root of the store, the newest first. */
  list(): Promise<Snapshot[]>
  /**
   * The root of the store in a snapshot, to read from and confined to it; no link leads out.
   * @throws not_found
   */
  open(id: string, guard?: PathGuard): Promise<Store>
}
