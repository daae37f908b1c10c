import type { Permissions } from '../permissions.ts'
import type { Sorting } from '../sorting.ts'

export type ViewMode = 'list' | 'mosaic' | 'mosaic gallery'

/** A rule allows or forbids paths; the last one that matches wins (contract 16.1). */
export interface Rule {
  regex: boolean
  allow: boolean
  path: string
  regexp: { raw: string } | null
}

/** A user as the wire tells of one (contract 15.4); `password` is always `''` on the way out. */
export interface User {
  id: number
  username: string
  password: string
  scope: string
  locale: string
  lockPassword: boolean
  viewMode: ViewMode
  singleClick: boolean
  redirectAfterCopyMove: boolean
  perm: Permissions
  commands: string[]
  sorting: Sorting
  rules: Rule[]
  hideDotfiles: boolean
  dateFormat: boolean
  aceEditorTheme: string
}

/** What the middle part of the session token tells the interface (contract 2.4). For display only; never a right. */
export type TokenUser = Pick<
  User,
  | 'id'
  | 'locale'
  | 'viewMode'
  | 'singleClick'
  | 'redirectAfterCopyMove'
  | 'perm'
  | 'commands'
  | 'lockPassword'
  | 'hideDotfiles'
  | 'dateFormat'
  | 'username'
  | 'aceEditorTheme'
>
