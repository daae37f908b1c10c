/** Folders of further roots, and to whom they are given. */
export interface MountTables {
  mounts: MountsTable
  mount_access: MountAccessTable
}

export interface MountsTable {
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
  /** `MountRight[]` as JSON. */
  rights: string
  created_at: number
}
