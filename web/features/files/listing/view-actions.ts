import { parsePath } from '../../../../shared/path.ts'
import type { Sorting } from '../../../../shared/sorting.ts'
import type { ViewMode } from '../../../../shared/views.ts'
import type { Action, ActionContext } from '../../../lib/actions.ts'
import type { MessageKey } from '../../../lib/i18n/index.ts'
import { isNarrow } from '../../../lib/media.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { ArrowDown, ArrowDownUp, ArrowUp, Folder, Images, LayoutGrid, List } from '../../../ui/icons.ts'
import { Columns2 } from '../../../ui/late-icons.ts'
import { areFoldersFirst, currentPreferences, setFoldersFirst, setPreferences, setView } from './preferences.ts'
import { directionOf } from './sort/sorting-choice.ts'

/** A view, exactly one of which is active. */
function view(id: string, viewMode: ViewMode, labelKey: MessageKey, icon: Action['icon'], shortcut: string): Action {
  return {
    id,
    labelKey,
    icon,
    shortcut,
    group: 'view',
    // The button renders before the folder has loaded, to avoid a layout shift.
    visible: ({ view, route, viewer }) => view !== undefined || (route.name === 'files' && viewer === undefined),
    enabled: ctx => ctx.view !== undefined,
    checked: ctx => currentPreferences(ctx.folder).viewMode === viewMode,
    run: ({ folder }) => folder && setView(parsePath(folder.path), viewMode),
  }
}

/** A sort order, exactly one of which is active. */
function sort(id: string, sorting: Sorting, labelKey: MessageKey): Action {
  return {
    id,
    labelKey,
    icon: sorting.by === 'kind' ? ArrowDownUp : directionOf(sorting) === 'ascending' ? ArrowUp : ArrowDown,
    group: 'sort',
    visible: ctx => ctx.view !== undefined,
    checked({ folder }) {
      const now = currentPreferences(folder).sorting
      // The kind has one entry for both directions.
      return now.by === sorting.by && (now.by === 'kind' || now.asc === sorting.asc)
    },
    run: () => setPreferences({ sorting }),
  }
}

const columns: Action = {
  id: 'columns',
  labelKey: 'views.columns',
  icon: Columns2,
  group: 'view',
  visible: ctx => ctx.view !== undefined && hasColumns(ctx),
  run: () => openPrompt('columns', {}),
}

/** A gallery has folders above its images in any case, and by kind they are one kind. */
const foldersFirst: Action = {
  id: 'foldersFirst',
  labelKey: 'files.foldersFirst',
  icon: Folder,
  group: 'sort',
  toggles: true,
  visible: ({ view, folder }) => view !== undefined && currentPreferences(folder).viewMode !== 'mosaic gallery',
  enabled: ({ folder }) => currentPreferences(folder).sorting.by !== 'kind',
  checked: ({ folder }) => areFoldersFirst(folder),
  run: ({ folder }) => folder && setFoldersFirst(parsePath(folder.path), !areFoldersFirst(folder)),
}

/** A narrow list has two lines for each item instead of columns. */
const hasColumns = ({ folder }: ActionContext) => currentPreferences(folder).viewMode === 'list' && !isNarrow()

/** The views by the ids of their actions. */
export const VIEWS: readonly [string, ViewMode][] = [
  ['viewList', 'list'],
  ['viewMosaic', 'mosaic'],
  ['viewGallery', 'mosaic gallery'],
]

/** The view options of a folder: views and sort orders. */
export const viewActions: readonly Action[] = [
  view('viewList', 'list', 'views.list', List, 'Ctrl+Shift+1'),
  view('viewMosaic', 'mosaic', 'views.mosaic', LayoutGrid, 'Ctrl+Shift+2'),
  view('viewGallery', 'mosaic gallery', 'views.gallery', Images, 'Ctrl+Shift+3'),
  columns,
  sort('sortNameUp', { by: 'name', asc: false }, 'files.sortNameUp'),
  sort('sortNameDown', { by: 'name', asc: true }, 'files.sortNameDown'),
  sort('sortNewest', { by: 'modified', asc: false }, 'files.sortNewest'),
  sort('sortOldest', { by: 'modified', asc: true }, 'files.sortOldest'),
  sort('sortLargest', { by: 'size', asc: false }, 'files.sortLargest'),
  sort('sortSmallest', { by: 'size', asc: true }, 'files.sortSmallest'),
  sort('sortKind', { by: 'kind', asc: true }, 'details.kind'),
  foldersFirst,
]
