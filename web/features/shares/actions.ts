import { allows } from '../../../shared/permissions.ts'
import type { Action, ActionContext } from '../../lib/actions.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { Share2 } from '../../ui/icons.ts'
import { folderOf, selected } from '../files/operations/change-actions.ts'

/** Creating a share link needs the permission to download, too: its visitors download in the owner's name. */
const share: Action = {
  id: 'share',
  labelKey: 'actions.share',
  icon: Share2,
  group: 'selection',
  online: true,
  visible: ctx => ctx.selection.length === 1 && mayShare(ctx),
  run({ selection: [item] }) {
    if (item) openPrompt('share', { item })
  },
}

/** A link leads to one item: several are copied into a folder for it. */
const several: Action = {
  ...share,
  id: 'shareSeveral',
  visible: ctx => ctx.selection.length > 1 && mayShare(ctx) && selected(ctx, 'create'),
  run: ctx => openPrompt('shareSeveral', { folder: folderOf(ctx), items: ctx.selection }),
}

const mayShare = ({ user, selection }: ActionContext) =>
  user !== null && allows(user.perm, 'share') && selection.every(item => item.type !== 'invalid_link')

export const shareActions: readonly Action[] = [share, several]
