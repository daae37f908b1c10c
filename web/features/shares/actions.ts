import { shownName } from '../../../shared/bytes.ts'
import { nameOf, ROOT } from '../../../shared/path.ts'
import { allows } from '../../../shared/permissions.ts'
import { type Action, type ActionContext, mayCreate } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { Share2 } from '../../ui/icons.ts'
import { Inbox } from '../../ui/late-icons.ts'
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

/** A link by which others send files into the folder on the screen. */
export const requestFiles: Action = {
  id: 'requestFiles',
  labelKey: 'actions.requestFiles',
  icon: Inbox,
  group: 'create',
  online: true,
  visible: ctx => mayCreate(ctx) && ctx.user !== null && allows(ctx.user.perm, 'share'),
  enabled: ({ view }) => view !== undefined,
  run(ctx) {
    const path = folderOf(ctx)
    const name = shownName(nameOf(path)) || t('files.home')
    openPrompt('share', { item: { path, name, isDir: true }, kind: 'drop' })
  },
}

/** The folder on the screen, which has no row to choose. */
const shareFolder: Action = {
  ...share,
  id: 'shareFolder',
  labelKey: 'actions.shareFolder',
  group: 'folder',
  visible: ctx => ctx.view !== undefined && folderOf(ctx) !== ROOT && ctx.route.name === 'files' && mayShare(ctx),
  run(ctx) {
    const path = folderOf(ctx)
    openPrompt('share', { item: { path, name: shownName(nameOf(path)), isDir: true } })
  },
}

export const shareActions: readonly Action[] = [share, several, shareFolder]
