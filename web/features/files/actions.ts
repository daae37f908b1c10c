import { documentFormat } from '../../../shared/documents.ts'
import { parentOf, ROOT } from '../../../shared/path.ts'
import { type Action, type ActionContext, mayCreate } from '../../lib/actions.ts'
import { copyText } from '../../lib/clipboard.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { hasRoomForPanel } from '../../lib/media.ts'
import { notify } from '../../lib/notices.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { filesUrl, href, navigate, shownUrl } from '../../lib/router.tsx'
import { FolderPlus, Info, RotateCw, SquarePen, X } from '../../ui/icons.ts'
import {
  CornerLeftUp,
  Download,
  ExternalLink,
  FilePlus2,
  FolderOpen,
  Link2,
  ListChecks,
  Pencil,
} from '../../ui/late-icons.ts'
import { downloadFiles } from './api/download.ts'
import { toggleDetails } from './details/store.ts'
import { askForName } from './listing/naming/load.ts'
import { changeActions, clipboardActions, folderOf, pasteActions, selected } from './operations/change-actions.ts'
import { deleteActions } from './operations/delete-actions.ts'

const inFolder = (ctx: ActionContext) => ctx.view !== undefined
const isOne = (ctx: ActionContext) => inFolder(ctx) && ctx.selection.length === 1

const newDir: Action = {
  id: 'newDir',
  labelKey: 'actions.newFolder',
  icon: FolderPlus,
  shortcut: 'Alt+N',
  group: 'create',
  online: true,
  visible: mayCreate,
  enabled: inFolder,
  run: ctx => askForName({ what: 'folder', folder: folderOf(ctx) }),
}

const newFile: Action = {
  id: 'newFile',
  labelKey: 'actions.newFile',
  icon: FilePlus2,
  group: 'create',
  online: true,
  visible: mayCreate,
  enabled: inFolder,
  run: ctx => askForName({ what: 'file', folder: folderOf(ctx) }),
}

const rename: Action = {
  id: 'rename',
  labelKey: 'actions.rename',
  icon: Pencil,
  shortcut: 'F2',
  group: 'selection',
  online: true,
  visible: ctx => selected(ctx, 'rename'),
  run({ selection: items }) {
    const [item] = items
    if (items.length > 1) openPrompt('renameMany', { items })
    else if (item) return askForName({ what: 'rename', item })
  },
}

const open: Action = {
  id: 'open',
  labelKey: 'actions.open',
  icon: FolderOpen,
  group: 'selection',
  visible: isOne,
  run({ selection: [item], view }) {
    if (item) view?.open(item)
  },
}

/** In the office editor of the host. */
const edit: Action = {
  id: 'edit',
  labelKey: 'actions.edit',
  icon: SquarePen,
  group: 'selection',
  online: true,
  visible: ctx => pageConfig.Office && isOne(ctx) && ctx.user?.perm.modify === true && isDocument(ctx),
  run: ({ selection: [item] }) => void navigate(shownUrl(item?.path ?? ROOT, 'office')),
}

const isDocument = ({ user, selection: [item] }: ActionContext) =>
  user?.perm.download === true && item?.isDir === false && documentFormat(item.name) !== undefined

const addressOf = ({ selection: [item] }: ActionContext) => href(filesUrl(item?.path ?? ROOT, item?.isDir))

const openInNewTab: Action = {
  id: 'openInNewTab',
  labelKey: 'actions.openInNewTab',
  icon: ExternalLink,
  group: 'selection',
  visible: isOne,
  run: ctx => void window.open(addressOf(ctx), '_blank', 'noopener'),
}

const copyAddress: Action = {
  id: 'copyAddress',
  labelKey: 'actions.copyAddress',
  icon: Link2,
  group: 'selection',
  visible: isOne,
  run: async ctx => {
    if (await copyText(location.origin + addressOf(ctx))) notify('success', t('details.copied'))
  },
}

/** A single file downloads as it is; a folder or several items download as an archive. */
const download: Action = {
  id: 'download',
  labelKey: 'actions.download',
  icon: Download,
  shortcut: 'Ctrl+S',
  group: 'selection',
  online: true,
  visible: ({ user, selection }) => (user?.perm.download ?? false) && selection.length > 0,
  run(ctx) {
    const { selection: items } = ctx
    if (items.length === 1 && !items[0]?.isDir) return downloadFiles(items)
    openPrompt('download', { folder: folderOf(ctx), items })
  },
}

const downloadFolder: Action = {
  id: 'downloadFolder',
  labelKey: 'actions.downloadFolder',
  icon: Download,
  shortcut: 'Ctrl+S',
  group: 'folder',
  online: true,
  visible: ctx => inFolder(ctx) && ctx.selection.length === 0 && (ctx.user?.perm.download ?? false),
  run: ctx => openPrompt('download', { folder: folderOf(ctx), items: [] }),
}

const details: Action = {
  id: 'details',
  labelKey: 'actions.details',
  icon: Info,
  shortcut: 'Ctrl+I',
  group: 'selection',
  // The button renders before the folder has loaded, to avoid a layout shift.
  visible: ({ folder, selection, route, viewer }) =>
    folder !== undefined || selection.length > 0 || (route.name === 'files' && viewer === undefined),
  enabled: ({ folder, selection }) => folder !== undefined || selection.length > 0,
  run({ folder, selection }) {
    if (folder === undefined) openPrompt('info', { items: selection })
    else if (hasRoomForPanel()) toggleDetails()
    else openPrompt('info', {})
  },
}

const selectAll: Action = {
  id: 'selectAll',
  labelKey: 'actions.selectAll',
  icon: ListChecks,
  shortcut: 'Ctrl+A',
  group: 'folder',
  visible: ctx => inFolder(ctx) && ctx.folder?.items.length !== 0,
  run: ({ view }) => view?.selectAll(),
}

const clearSelection: Action = {
  id: 'clearSelection',
  labelKey: 'actions.clearSelection',
  icon: X,
  shortcut: 'Escape',
  visible: ({ selection }) => selection.length > 0,
  run: ({ view }) => view?.clearSelection(),
}

const refresh: Action = {
  id: 'refresh',
  labelKey: 'actions.refresh',
  icon: RotateCw,
  group: 'folder',
  visible: ({ view, route }) => view !== undefined || route.name === 'files',
  enabled: inFolder,
  run: ({ view }) => view?.refresh(),
}

const goUp: Action = {
  id: 'goUp',
  labelKey: 'actions.goUp',
  icon: CornerLeftUp,
  shortcut: 'Alt+ArrowUp',
  visible: ({ route }) => route.name === 'files' && route.path !== '/',
  run: ({ route }) => {
    if (route.name === 'files') void navigate(filesUrl(parentOf(route.path), true))
  },
}

/** The actions on files and folders, in menu order. */
export const fileActions: readonly Action[] = [
  newDir,
  newFile,
  edit,
  open,
  openInNewTab,
  download,
  rename,
  ...changeActions,
  ...deleteActions,
  copyAddress,
  details,
  ...clipboardActions,
  ...pasteActions,
  downloadFolder,
  selectAll,
  clearSelection,
  refresh,
  goUp,
]
