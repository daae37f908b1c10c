import { DEFAULT_SORTING, type Sorting } from '../../../../shared/sorting.ts'
import { VIEW_MODES, type ViewMode } from '../../../../shared/views.ts'
import type { FolderState } from '../../../lib/actions.ts'
import { errorText } from '../../../lib/error-text.ts'
import { notify } from '../../../lib/notices.ts'
import { sessionStore, useSession } from '../../../lib/session.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { type ListingChoice, saveChoice } from '../api/save-choice.ts'

/** What has been chosen in this page; it counts more than what the server said before. */
interface Chosen extends Partial<ListingChoice> {
  /** Whose choice it is. */
  user: number | undefined
}

const store = createStore<Chosen>({ user: undefined })

function chosenBy(user: number | undefined, chosen: Chosen): Partial<ListingChoice> {
  return chosen.user === user ? chosen : {}
}

const viewOf = (stored: string | undefined): ViewMode => VIEW_MODES.find(mode => mode === stored) ?? 'list'

type Folder = FolderState['folder']

/** The order of listings; renders again when it changes. @param folder tells the order the server keeps */
export function useSorting(folder: Folder): Sorting {
  const { user } = useSession()
  return chosenBy(user?.id, useStore(store)).sorting ?? folder?.sorting ?? DEFAULT_SORTING
}

/** How entries are shown; renders again when it changes. */
export function useViewMode(): ViewMode {
  const { user } = useSession()
  return chosenBy(user?.id, useStore(store)).viewMode ?? viewOf(user?.viewMode)
}

/** Both as they are now, outside React. */
export function currentChoice(folder: Folder): ListingChoice {
  const { user } = sessionStore.get()
  const chosen = chosenBy(user?.id, store.get())
  return {
    sorting: chosen.sorting ?? folder?.sorting ?? DEFAULT_SORTING,
    viewMode: chosen.viewMode ?? viewOf(user?.viewMode),
  }
}

/** Shows listings so from now on, and keeps it with the user; taken back when the server refuses. */
export async function choose(change: Partial<ListingChoice>): Promise<void> {
  const { user } = sessionStore.get()
  if (!user) return
  const before = store.get()
  const now = { ...chosenBy(user.id, before), ...change, user: user.id }
  store.set(now)
  try {
    await saveChoice(user.id, change)
  } catch (error) {
    if (store.get() === now) store.set(before)
    notify('error', errorText(error))
  }
}
