import { type ComponentType, createContext, use, useMemo } from 'react'
import type { FolderResource, ResourceItem } from '../../shared/api/resources.ts'
import type { TokenUser } from '../../shared/api/users.ts'
import { errorText } from './error-text.ts'
import type { MessageKey } from './i18n/index.ts'
import { notify } from './notices.ts'
import { onlineStore, useOnline } from './online.ts'
import { type OtherPlaces, placesStore } from './other-places.ts'
import { currentRoute, type Route, useRoute } from './router.tsx'
import { sessionStore, useSession } from './session.ts'
import { createStore, useStore } from './store.ts'

/** What the folder view offers to actions; `undefined` while none is mounted. */
export interface FolderCommands {
  selectAll(): void
  clearSelection(): void
  /** Focuses the rows. */
  focus(): void
  refresh(): void
  open(item: ResourceItem): void
  /** Reveals an item in its folder; only where the listing spans several folders. */
  reveal?(item: ResourceItem): void
}

/** The state that the folder view publishes. */
export interface FolderState {
  folder: FolderResource | undefined
  selection: readonly ResourceItem[]
  focused: ResourceItem | undefined
  view: FolderCommands | undefined
}

/** The commands of the open viewer, by name. */
export type ViewerCommands = Readonly<Record<string, (() => void) | undefined>>

/** What one component of the open viewer offers: commands, and the file it shows if there are actions on it. */
export interface ViewerPart {
  commands: ViewerCommands
  item: ResourceItem | undefined
}

/** Everything an action may read. */
export interface ActionContext extends FolderState {
  user: TokenUser | null
  route: Route
  /** While a viewer covers the listing. */
  viewer?: ViewerCommands
  /** While the server is unreachable. */
  offline?: boolean
}

/** A user action; toolbar, menus, keyboard and help all read the same list. */
export interface Action {
  id: string
  labelKey: MessageKey
  icon: ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>
  /** Key combination such as `Alt+N`, `F2`, `Ctrl+A`; see `keyboard.ts`. */
  shortcut?: string
  /** Another one, as on other platforms. */
  alternative?: string
  /** A held key runs it only once. */
  once?: true
  /** Where the shortcut works. Defaults to `listing`; the overlays bind their own. */
  scope?: 'global' | 'listing' | 'preview' | 'editor'
  /**
   * `create` is in the New menu, `selection` acts on the selected items, `folder` is in the menu of the folder itself;
   * of `view` and of `sort` exactly one is active, apart from those that toggle.
   */
  group?: 'create' | 'selection' | 'folder' | 'view' | 'sort'
  /** Needs the server; disabled while it is unreachable. */
  online?: true
  /** Destructive: set apart and in the danger colour. */
  danger?: boolean
  /** Whether the action is available, by permission and selection. */
  visible(ctx: ActionContext): boolean
  /** Whether it is enabled now. Defaults to always. */
  enabled?(ctx: ActionContext): boolean
  /** Switches an option on and off, instead of being one of several. */
  toggles?: true
  /** For one of several options: whether it is the active one. For one that toggles: whether it is on. */
  checked?(ctx: ActionContext): boolean
  run(ctx: ActionContext): void | Promise<void>
}

/** The folder state of a context without a folder. */
export const NO_FOLDER: FolderState = { folder: undefined, selection: [], focused: undefined, view: undefined }
const folderStore = createStore<FolderState>(NO_FOLDER)
let registered: readonly Action[] = []

/** The application's list (`web/app/actions.ts`), passed in once at start-up: features may not import the app. */
export function registerActions(actions: readonly Action[]): void {
  registered = actions
}

export function allActions(): readonly Action[] {
  return registered
}

/** The registered action of this id. */
export function actionById(id: string): Action | undefined {
  return registered.find(action => action.id === id)
}

/** The key combinations of an action. */
export const keysOfAction = ({ shortcut, alternative }: Action): string[] =>
  [shortcut, alternative].filter(keys => keys !== undefined)

/** The folder view publishes its state here; `undefined` when it unmounts. */
export function publishFolder(state: FolderState | undefined): void {
  folderStore.set(state ?? NO_FOLDER)
}

const viewerParts = new Set<ViewerPart>()

/** Adds commands of the open viewer. @returns the function that removes them */
export function publishViewer(part: ViewerPart): () => void {
  viewerParts.add(part)
  return () => viewerParts.delete(part)
}

/** The current context, for key and click handlers. The file in a viewer takes the place of a selection. */
export function currentContext(): ActionContext {
  const route = currentRoute()
  const { user } = sessionStore.get()
  const state = stateAt(route, folderStore.get())
  const context = {
    ...state,
    user: userAt(user, route, placesStore.get(), state.selection),
    route,
    offline: !onlineStore.get(),
  }
  if (viewerParts.size === 0) return context
  const parts = [...viewerParts]
  const item = parts.findLast(part => part.item)?.item
  const viewer: ViewerCommands = Object.assign({}, ...parts.map(({ commands }) => commands))
  return { ...context, ...NO_FOLDER, selection: item ? [item] : [], focused: item, viewer }
}

/** The user with what they may do there, or with these items. */
const userAt = (
  user: TokenUser | null,
  route: Route,
  places: OtherPlaces | undefined,
  items?: readonly ResourceItem[],
): TokenUser | null => (user && places ? places.userAt(user, route, items) : user)

/**
 * The user with what they may do with some items; without any, in the folder on the screen or with its open file.
 * Re-renders when that changes.
 */
export function useUserHere(items?: readonly ResourceItem[]): TokenUser | null {
  const { user } = useSession()
  const route = useRoute()
  const places = useStore(placesStore)
  return useMemo(() => userAt(user, route, places, items), [user, route, places, items])
}

/** A folder that is no longer the one in the address offers no actions: its rows are about to be replaced. */
function stateAt(route: Route, state: FolderState): FolderState {
  const path = state.folder?.path
  if (path === undefined) return state
  return route.name === 'files' && route.path === (path.replace(/\/$/, '') || '/') ? state : NO_FOLDER
}

/**
 * Overrides the folder's context for a part of the page: a list of items from several folders. Its `folder` is
 * `undefined` while it has a `view`.
 */
export const ActionScope = createContext<ActionContext | undefined>(undefined)

/** The context; re-renders when selection, folder, user or route change. */
export function useActionContext(): ActionContext {
  const around = useContextOfPage()
  return use(ActionScope) ?? around
}

function useContextOfPage(): ActionContext {
  const folder = useStore(folderStore)
  const { user } = useSession()
  const route = useRoute()
  const offline = !useOnline()
  const places = useStore(placesStore)
  return useMemo(() => {
    const state = stateAt(route, folder)
    return { ...state, user: userAt(user, route, places, state.selection), route, offline }
  }, [folder, user, route, offline, places])
}

/** Whether the action is available and enabled. */
export function canRun(action: Action, ctx: ActionContext): boolean {
  return action.visible(ctx) && !reasonAgainst(action, ctx) && (action.enabled?.(ctx) ?? true)
}

/** Whether the user may create items here; available before the folder has loaded, to avoid a layout shift. */
export function mayCreate({ user, view, route }: ActionContext): boolean {
  const may = placesStore.get()?.mayCreateAt(route) ?? user?.perm.create ?? false
  return may && (view !== undefined || route.name === 'files')
}

/** Why an available action is disabled now, where that is not obvious. */
export function reasonAgainst({ online }: Action, { offline }: ActionContext): MessageKey | undefined {
  return online && offline ? 'auth.noConnection' : undefined
}

/** Runs the action if it is enabled; a rejection is reported by a notice. @returns whether it ran */
export function runAction(action: Action, ctx: ActionContext = currentContext()): boolean {
  if (!canRun(action, ctx)) return false
  const run = action.run(ctx)
  if (run) run.catch((error: unknown) => notify('error', errorText(error)))
  return true
}
