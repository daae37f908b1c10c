import { type FilePath, parsePath, ROOT } from '../../../../shared/path.ts'
import { DEFAULT_SORTING, type Sorting } from '../../../../shared/sorting.ts'
import { VIEW_MODES, type ViewMode } from '../../../../shared/views.ts'
import type { FolderState } from '../../../lib/actions.ts'
import { api } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { notify } from '../../../lib/notices.ts'
import { sessionStore, useSession } from '../../../lib/session.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { choiceFor, foldersFirst, folderViews, withChoice } from './folder-views.ts'

/** Preferences set in this page; they override what the server sent earlier. */
interface Preferences extends Partial<ListingPreferences> {
  /** Id of the user they belong to. */
  user: number | undefined
}

const store = createStore<Preferences>({ user: undefined })

function preferencesOf(user: number | undefined, chosen: Preferences): Partial<ListingPreferences> {
  return chosen.user === user ? chosen : {}
}

const viewOf = (stored: string | undefined): ViewMode => VIEW_MODES.find(mode => mode === stored) ?? 'list'

type Folder = FolderState['folder']

/** The sort order of listings; re-renders when it changes. @param folder supplies the order stored on the server */
export function useSorting(folder: Folder): Sorting {
  const { user } = useSession()
  return preferencesOf(user?.id, useStore(store)).sorting ?? folder?.sorting ?? DEFAULT_SORTING
}

/** How the entries of a folder are shown; re-renders when it changes. */
export function useViewMode(path: FilePath): ViewMode {
  const { user } = useSession()
  const everywhere = preferencesOf(user?.id, useStore(store)).viewMode ?? viewOf(user?.viewMode)
  return choiceFor(useStore(folderViews.store), user?.id ?? 0, path) ?? everywhere
}

/**
 * Sets the view of a folder in this browser, also for the folders below that have none of their own. That of the root
 * is the user's setting.
 */
export async function setView(path: FilePath, viewMode: ViewMode): Promise<void> {
  const { user } = sessionStore.get()
  if (path === ROOT) await setPreferences({ viewMode })
  else if (user) folderViews.choose(withChoice(folderViews.store.get(), user.id, path, viewMode))
}

/** Whether folders come before files, as chosen for a folder; `undefined` leaves it to the sort order. */
export function useFoldersFirstIn(path: FilePath): boolean | undefined {
  const { user } = useSession()
  return choiceFor(useStore(foldersFirst.store), user?.id ?? 0, path)
}

/** Whether folders come before files now; by kind they always do. */
export function areFoldersFirst(folder: Folder): boolean {
  const { by } = currentPreferences(folder).sorting
  const chosen = folder && choiceFor(foldersFirst.store.get(), sessionStore.get().user?.id ?? 0, parsePath(folder.path))
  return by === 'kind' || (chosen ?? by === 'name')
}

/** Has folders come before files, or among them, in this browser; also in the folders below that have no choice of their own. */
export function setFoldersFirst(path: FilePath, first: boolean): void {
  const { user } = sessionStore.get()
  if (user) foldersFirst.choose(withChoice(foldersFirst.store.get(), user.id, path, first))
}

/** Both, outside React. */
export function currentPreferences(folder: Folder): ListingPreferences {
  const { user } = sessionStore.get()
  const chosen = preferencesOf(user?.id, store.get())
  return {
    sorting: chosen.sorting ?? folder?.sorting ?? DEFAULT_SORTING,
    viewMode:
      (folder && choiceFor(folderViews.store.get(), user?.id ?? 0, parsePath(folder.path))) ??
      chosen.viewMode ??
      viewOf(user?.viewMode),
  }
}

/** Sets the view or sort order and saves it with the user; rolled back when the server refuses. */
export async function setPreferences(change: Partial<ListingPreferences>): Promise<void> {
  const { user } = sessionStore.get()
  if (!user) return
  const before = store.get()
  const now = { ...preferencesOf(user.id, before), ...change, user: user.id }
  store.set(now)
  try {
    await savePreferences(user.id, change)
  } catch (error) {
    if (store.get() === now) store.set(before)
    notify('error', errorText(error))
  }
}

/** A user's listing preferences. */
interface ListingPreferences {
  sorting: Sorting
  viewMode: ViewMode
}

/** `PUT /api/users/{id}` with only the changed fields (http-api 11, 20.2). @throws ApiError */
async function savePreferences(id: number, change: Partial<ListingPreferences>): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: Object.keys(change), data: { id, ...change } })
  await api(`/api/users/${id}`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body })
}
