import { pageConfig } from '../../lib/config.ts'

/** Whether a user makes, changes and deletes tags of all users. */
export const sharesTags = (user: { perm: { admin: boolean; modify: boolean } } | null | undefined): boolean =>
  user?.perm.admin === true || (pageConfig.SharedTags && user?.perm.modify === true)
