import { ROOT } from '../../../shared/path.ts'
import type { Action, ActionContext } from '../../lib/actions.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { Camera, Rewind } from '../../ui/late-icons.ts'

/** The selected folder, or the one on the screen. */
function folderIn({ route, selection }: ActionContext) {
  const [item] = selection
  if (selection.length === 1 && item?.isDir) return { path: item.path, name: item.name }
  if (selection.length > 0 || route.name !== 'files' || !route.folderHint) return undefined
  return { path: route.path, name: route.path === ROOT ? '' : (route.path.split('/').at(-1) ?? '') }
}

const asItWas: Action = {
  id: 'asItWas',
  labelKey: 'actions.asItWas',
  icon: Camera,
  group: 'folder',
  online: true,
  visible: ctx => (ctx.user?.perm.download ?? false) && folderIn(ctx) !== undefined,
  run(ctx) {
    const folder = folderIn(ctx)
    if (folder) void navigate(`${filesUrl(folder.path, true)}?at=latest`)
  },
}

const rewind: Action = {
  id: 'rewind',
  labelKey: 'actions.rewind',
  icon: Rewind,
  group: 'folder',
  online: true,
  visible(ctx) {
    const { user } = ctx
    if (!user || !folderIn(ctx)) return false
    const { admin, create, rename, modify, delete: remove } = user.perm
    return admin || (create && rename && modify && remove)
  },
  run(ctx) {
    const folder = folderIn(ctx)
    if (folder) openPrompt('rewind', { folder })
  },
}

/** Earlier states of a folder. */
export const snapshotActions: readonly Action[] = [asItWas, rewind]
