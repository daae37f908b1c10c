import { allows } from '../../../shared/permissions.ts'
import type { Action } from '../../lib/actions.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { Share2 } from '../../ui/icons.ts'

/** Creating a share link needs the permission to download, too: its visitors download in the owner's name. */
const share: Action = {
  id: 'share',
  labelKey: 'actions.share',
  icon: Share2,
  group: 'selection',
  online: true,
  visible: ({ user, selection: [item, ...others] }) =>
    user !== null &&
    allows(user.perm, 'share') &&
    item !== undefined &&
    others.length === 0 &&
    item.type !== 'invalid_link',
  run({ selection: [item] }) {
    if (item) openPrompt('share', { item })
  },
}

export const shareActions: readonly Action[] = [share]
