import { type FilePath, ROOT } from '../../../../shared/path.ts'
import type { Permission } from '../../../../shared/permissions.ts'
import { type Action, type ActionContext, mayCreate } from '../../../lib/actions.ts'
import { loadChunk } from '../../../lib/chunk.ts'
import { isNarrow } from '../../../lib/media.ts'
import { placesStore } from '../../../lib/other-places.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import type { Route } from '../../../lib/router.tsx'
import { Funnel, History, X } from '../../../ui/icons.ts'
import {
  ClipboardPaste,
  Copy,
  FileArchive,
  Files,
  FolderInput,
  PackageOpen,
  Redo2,
  Scissors,
  StickyNote,
  Undo2,
} from '../../../ui/late-icons.ts'
import { commonFolder } from '../items/common-folder.ts'
import { isArchive } from '../items/names.ts'
import { closeFilter, isFiltering, openFilter } from '../listing/filter/store.ts'
import { clipboard, copyToClipboard, cutToClipboard } from './clipboard.ts'
import { redoLast, undoLast } from './undo.ts'

/** Whether something is selected and the user has the permission. */
export const selected = ({ user, selection }: ActionContext, permission: Permission) =>
  selection.length > 0 && (user?.perm[permission] ?? false)

/** Whether all that is selected may go to another folder. */
const movable = (ctx: ActionContext) => selected(ctx, 'rename') && !placesStore.get()?.stay(ctx.selection)

/** The folder on the screen, or the common folder of items from several folders. */
export function folderOf({ route, folder, selection }: ActionContext): FilePath {
  if (folder === undefined && selection.length > 0) return commonFolder(selection)
  return route.name === 'files' ? route.path : ROOT
}

/** Whether the place allows new items, whatever the user may do elsewhere. */
const mayAddAt = (route: Route) => placesStore.get()?.mayCreateAt(route) ?? true

/** A viewer over the listing may have an undo of its own. */
const mayUndo = ({ view, route, viewer }: ActionContext) =>
  view !== undefined || (!viewer && ['trash', 'history', 'usage'].includes(route.name))

/** With text selected in the page, Ctrl+C copies the text. */
const noTextMarked = () => getSelection()?.isCollapsed ?? true

const move: Action = {
  id: 'move',
  labelKey: 'actions.moveTo',
  icon: FolderInput,
  group: 'selection',
  online: true,
  visible: movable,
  run: ({ selection }) => openPrompt('transfer', { action: 'move', items: selection }),
}

const copy: Action = {
  id: 'copy',
  labelKey: 'actions.copyTo',
  icon: Files,
  group: 'selection',
  online: true,
  visible: ctx => selected(ctx, 'create'),
  run: ({ selection }) => openPrompt('transfer', { action: 'copy', items: selection }),
}

const pack: Action = {
  id: 'pack',
  labelKey: 'actions.pack',
  icon: FileArchive,
  group: 'selection',
  visible: ctx => selected(ctx, 'create') && selected(ctx, 'download') && mayAddAt(ctx.route),
  run: ctx => openPrompt('pack', { folder: folderOf(ctx), items: ctx.selection }),
}

const extract: Action = {
  id: 'extract',
  labelKey: 'actions.extract',
  icon: PackageOpen,
  group: 'selection',
  online: true,
  visible: ctx =>
    ctx.selection.length === 1 &&
    ctx.selection.every(({ isDir, name }) => !isDir && isArchive(name)) &&
    selected(ctx, 'create') &&
    selected(ctx, 'download'),
  run({ selection: [item] }) {
    if (item) openPrompt('extract', { item })
  },
}

/** The paste bar takes the place of the selection's bar, whose button may have the focus. */
function hold(ctx: ActionContext, put: typeof cutToClipboard): void {
  put(ctx.selection, folderOf(ctx))
  if (isNarrow()) ctx.view?.clearSelection()
  else ctx.view?.focus()
}

const cut: Action = {
  id: 'cut',
  labelKey: 'actions.cut',
  icon: Scissors,
  shortcut: 'Ctrl+X',
  group: 'selection',
  visible: movable,
  enabled: noTextMarked,
  run: ctx => hold(ctx, cutToClipboard),
}

const copyForPaste: Action = {
  id: 'copyForPaste',
  labelKey: 'actions.copy',
  icon: Copy,
  shortcut: 'Ctrl+C',
  group: 'selection',
  visible: ctx => selected(ctx, 'create'),
  enabled: noTextMarked,
  run: ctx => hold(ctx, copyToClipboard),
}

const pasteHere: Action = {
  id: 'paste',
  labelKey: 'actions.paste',
  icon: ClipboardPaste,
  shortcut: 'Ctrl+V',
  group: 'folder',
  online: true,
  // Also while the folder is still loading: the server knows its content.
  visible({ route, user }) {
    const held = clipboard()
    const inFolder = route.name === 'files' && route.folderHint
    return inFolder && held !== null && mayAddAt(route) && (user?.perm[held.key === 'c' ? 'create' : 'rename'] ?? false)
  },
  async run(ctx) {
    const { paste } = await loadChunk(() => import('./paste.ts'))
    await paste(folderOf(ctx))
  },
}

const undo: Action = {
  id: 'undo',
  labelKey: 'actions.undo',
  icon: Undo2,
  shortcut: 'Ctrl+Z',
  group: 'folder',
  online: true,
  once: true,
  visible: mayUndo,
  run: undoLast,
}

const redo: Action = {
  id: 'redo',
  labelKey: 'actions.redo',
  icon: Redo2,
  shortcut: 'Ctrl+Shift+Z',
  alternative: 'Ctrl+Y',
  group: 'folder',
  online: true,
  once: true,
  visible: mayUndo,
  run: redoLast,
}

const filter: Action = {
  id: 'filter',
  labelKey: 'actions.filter',
  icon: Funnel,
  shortcut: '/',
  group: 'folder',
  // Rendered before the folder has loaded, to avoid a layout shift.
  visible: ({ view, folder, route }) => folder !== undefined || (view === undefined && route.name === 'files'),
  enabled: ({ folder }) => (folder?.items.length ?? 0) > 0,
  run: ctx => openFilter(folderOf(ctx)),
}

const endFilter: Action = {
  id: 'closeFilter',
  labelKey: 'actions.closeFilter',
  icon: X,
  shortcut: 'Escape',
  visible: ({ view, selection }) => view !== undefined && selection.length === 0 && isFiltering(),
  run: closeFilter,
}

const versions: Action = {
  id: 'versions',
  labelKey: 'actions.versions',
  icon: History,
  shortcut: 'Alt+V',
  group: 'selection',
  online: true,
  visible: ctx => ctx.selection.length === 1 && selected(ctx, 'download') && ctx.selection[0]?.isDir === false,
  run({ selection: [item] }) {
    if (item) openPrompt('versions', { item })
  },
}

const note: Action = {
  id: 'note',
  labelKey: 'actions.addNote',
  icon: StickyNote,
  group: 'folder',
  online: true,
  visible: mayCreate,
  enabled: ({ folder }) => folder !== undefined,
  async run(ctx) {
    const { addNote } = await loadChunk(() => import('./add-note.ts'))
    await addNote(folderOf(ctx), ctx.folder?.items ?? [])
  },
}

/** Move, copy, archive and extract. */
export const changeActions: readonly Action[] = [move, copy, versions, pack, extract]

/** The clipboard. */
export const clipboardActions: readonly Action[] = [cut, copyForPaste]

/** The actions on the folder on the screen. */
export const pasteActions: readonly Action[] = [pasteHere, undo, redo, note, filter, endFilter]
