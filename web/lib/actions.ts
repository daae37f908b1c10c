import type { ComponentType } from 'react'
import { createContext, use, useMemo } from 'react'
import type { FolderResource, ResourceItem } from '../../shared/api/resources.ts'
import type { TokenUser } from '../../shared/api/users.ts'
import type { MessageKey } from './i18n/index.ts'
import { onlineStore, useOnline } from './online.ts'
import { currentRoute, type Route, useRoute } from './router.tsx'
import { sessionStore, useSession } from './session.ts'
import { createStore, useStore } from './store.ts'

/** What the folder view offers to actions; `undefined` while none is on the screen. */
export interface FolderCommands {
  selectAll(): void
  clearSelection(): void
  /** Takes the focus to the rows. */
  focus(): void
  refresh(): void
  open(item: ResourceItem): void
  /** Shows where something is; only where that is not to be seen anyway. */
  reveal?(item: ResourceItem): void
}

/** What the folder view tells of itself. */
export interface FolderState {
  folder: FolderResource | undefined
  selection: readonly ResourceItem[]
  focused: ResourceItem | undefined
  view: FolderCommands | undefined
}

/** What can be done in what lies over the listing, a preview or the editor, as far as it can be done there. */
export interface LayerCommands {
  close?(): void
  next?(): void
  previous?(): void
  zoomIn?(): void
  zoomOut?(): void
  fit?(): void
  fullscreen?(): void
  mute?(): void
  /** @param seconds forwards, or backwards if negative */
  seek?(seconds: number): void
  save?(): void
  download?(): void
  wrap?(): void
  find?(): void
  goToLine?(): void
  /** Goes back from the editor. */
  leave?(): void
}

/** A part of such a layer: what it offers, and the file it shows if things can be done with that. */
export interface LayerPart extends LayerCommands {
  item?: ResourceItem
}

/** Everything an action may look at. */
export interface ActionContext extends FolderState {
  user: TokenUser | null
  route: Route
  /** While something lies over the listing. */
  layer?: LayerCommands
  /** While the server is out of reach. */
  offline?: boolean
}

/** Something a person can do; toolbar, menus, keyboard and help all read the same list. */
export interface Action {
  id: string
  labelKey: MessageKey
  icon: ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>
  /** Key combination such as `Alt+N`, `F2`, `Ctrl+A`; see `keyboard.ts`. */
  shortcut?: string
  /** Where the shortcut works. `listing` unless said otherwise; the layers over it bind their own. */
  scope?: 'global' | 'listing' | 'preview' | 'editor'
  /**
   * `create` stands in the New menu, `selection` with what is selected, `folder` in the menu of the folder itself; of
   * `view` and of `sort` exactly one is in use.
   */
  group?: 'create' | 'selection' | 'folder' | 'view' | 'sort'
  /** Does nothing without the server, and rests while that is out of reach. */
  online?: true
  /** Destroys something: set apart and in the colour of danger. */
  danger?: boolean
  /** Whether the action exists here, by permission and selection. */
  visible(ctx: ActionContext): boolean
  /** Whether it can be used right now. Always, if left out. */
  enabled?(ctx: ActionContext): boolean
  /** For one of several choices: whether it is the one in use. */
  checked?(ctx: ActionContext): boolean
  run(ctx: ActionContext): void | Promise<void>
}

/** What a context says of the folder where there is none. */
export const NO_FOLDER: FolderState = { folder: undefined, selection: [], focused: undefined, view: undefined }
const folderStore = createStore<FolderState>(NO_FOLDER)
let registered: readonly Action[] = []

/** The application's list (`web/app/actions.ts`), handed over once at start-up: features may not import the app. */
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

/** The folder view publishes its state here; `undefined` when it goes away. */
export function publishFolder(state: FolderState | undefined): void {
  folderStore.set(state ?? NO_FOLDER)
}

const layerParts = new Set<LayerPart>()

/** Adds to what the layer over the listing offers. @returns what takes it away again */
export function publishLayer(part: LayerPart): () => void {
  layerParts.add(part)
  return () => layerParts.delete(part)
}

/** The context as it is now, for key and click handlers. The file in a layer takes the place of a selection. */
export function currentContext(): ActionContext {
  const route = currentRoute()
  const { user } = sessionStore.get()
  const context = { ...stateAt(route, folderStore.get()), user, route, offline: !onlineStore.get() }
  if (layerParts.size === 0) return context
  const { item, ...layer }: LayerPart = Object.assign({}, ...layerParts)
  return { ...context, ...NO_FOLDER, selection: item ? [item] : [], focused: item, layer }
}

/** A folder that is no longer the one in the address offers nothing: its rows are only waiting to be replaced. */
function stateAt(route: Route, state: FolderState): FolderState {
  const path = state.folder?.path
  if (path === undefined) return state
  return route.name === 'files' && route.path === (path.replace(/\/$/, '') || '/') ? state : NO_FOLDER
}

/**
 * Another context than that of the folder on the screen for a part of the page: a list of things from many folders. Its
 * `folder` is `undefined` while it has a `view`.
 */
export const ActionScope = createContext<ActionContext | undefined>(undefined)

/** The context; renders again when selection, folder, user or route change. */
export function useActionContext(): ActionContext {
  const around = useContextOfPage()
  return use(ActionScope) ?? around
}

function useContextOfPage(): ActionContext {
  const folder = useStore(folderStore)
  const { user } = useSession()
  const route = useRoute()
  const offline = !useOnline()
  return useMemo(() => ({ ...stateAt(route, folder), user, route, offline }), [folder, user, route, offline])
}

/** Whether the action is there and usable. */
export function canRun(action: Action, ctx: ActionContext): boolean {
  return action.visible(ctx) && !reasonAgainst(action, ctx) && (action.enabled?.(ctx) ?? true)
}

/** Whether somebody may make things where they are; shown before the folder itself is there, so that nothing jumps. */
export function mayCreate({ user, view, route }: ActionContext): boolean {
  return (user?.perm.create ?? false) && (view !== undefined || route.name === 'files')
}

/** Why an action that is there can't be used just now, where that is not plain to see. */
export function reasonAgainst({ online }: Action, { offline }: ActionContext): MessageKey | undefined {
  return online && offline ? 'auth.noConnection' : undefined
}

/** Runs the action if it can be run now; answers whether it did. */
export function runAction(action: Action, ctx: ActionContext = currentContext()): boolean {
  if (!canRun(action, ctx)) return false
  void action.run(ctx)
  return true
}
