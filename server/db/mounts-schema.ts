import type { QuotaColumns } from './quotas-schema.ts'

/** Folders of further roots, and to whom they are given. */
export interface MountTables {
  root_settings: RootSettingsTable
  seen_roots: SeenRootsTable
  mounts: MountsTable
  mount_access: MountAccessTable
}

/** What administrators set for a further root; a root without anything set has no row. */
export interface RootSettingsTable extends QuotaColumns {
  /** In the configuration. */
  name: string
  /** Shown in place of the name; empty for none. */
  label: string
}

/** What was in the place of a further root when it was first opened, or accepted. */
export interface SeenRootsTable {
  /** In the configuration. */
  name: string
  /** As `paths.ts` defines. */
  place: string
  identity: string
}

/** The quota is null where there is none. */
export interface MountsTable extends QuotaColumns {
  id: string
  name: string
  /** The name as it is compared: case and composition do not count. */
  folded: string
  /** The name of the root in the configuration. */
  root: string
  /** In that root, as `paths.ts` defines. */
  folder: string
  read_only: number
  created_at: number
}

export interface MountAccessTable {
  id: string
  mount: string
  /** The user, or else the group, to whom it is given. */
  to_user: number | null
  to_group: string | null
  /** `GivenMountRight[]` as JSON. */
  rights: string
  created_at: number
  /** When it ends; null for never. */
  expires_at: number | null
}
