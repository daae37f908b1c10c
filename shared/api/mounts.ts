import { GRANT_RIGHTS } from './grants.ts'

/** What a mount can give: what a grant can. */
export const MOUNT_RIGHTS = GRANT_RIGHTS
export type MountRight = (typeof MOUNT_RIGHTS)[number]

/** A folder of another root as one user has it. */
export interface HeldMount {
  id: string
  /** The name of the folder at the top of the user's files. */
  name: string
  /** The name of the root. */
  root: string
  /** In that root. */
  folder: string
  rights: readonly MountRight[]
  /** When it was made, in milliseconds since the epoch. */
  since: number
}
