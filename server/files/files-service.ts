import type { ActivityNames } from '../../shared/api/activity.ts'
import type { SharedTags } from '../../shared/api/tags.ts'
import type { Rule } from '../../shared/api/users.ts'
import { type FilePath, joinPath, ROOT } from '../../shared/path.ts'
import type { Effect, Permissions } from '../../shared/permissions.ts'
import { isInOtherRoot } from '../../shared/places.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { EVERYTHING, type StorageDriver } from '../storage/driver.ts'
import { type Base, baseAt } from './base.ts'
import type { ChangeRecords } from './change-records.ts'
import { type FilesContext, recheckFor } from './changes.ts'
import type { SumRecords } from './checksums.ts'
import { type DecidedStep, explain, ownReasons } from './explain-access.ts'
import { reasonsIn, reasonsWithoutHome } from './explain-place.ts'
import { Files } from './files.ts'
import { NameReservations } from './free-name.ts'
import { aroundOperationsOf, type Hooks } from './hooks.ts'
import { joinedPolicy } from './joined-policy.ts'
import { joinedStore } from './joined-store.ts'
import type { LinksOf } from './link-records.ts'
import { type LockPlaces, lockGuard } from './lock-guard.ts'
import type { LockRecords } from './lock-records.ts'
import type { MarkOwner, MarkRecords } from './mark-records.ts'
import { meteredStore } from './metered-store.ts'
import type { Metering } from './metering.ts'
import {
  type KnownRoots,
  mayShowAs,
  namedMounts,
  placeOfMount,
  type VisibleMount,
  visibleMounts,
} from './mount-place.ts'
import { baseOfNoHome, storeOfNoHome } from './no-home.ts'
import { type Dependents, NO_DEPENDENTS, Places } from './places.ts'
import { type Actor, guardedStore, type Policy, policyFor } from './policy.ts'
import type { PropertyRecords } from './property-records.ts'
import { recorderInto } from './recorder.ts'
import { scopeFolder } from './scope-folder.ts'
import { freeHall, placeOfItem, type SharedItem } from './shared-item.ts'
import { joinedBase, type Place, type PlaceList, type SharedNames, sharedNames, spotOf } from './shared-places.ts'
import { withHandles } from './staged-handles.ts'
import {
  DEFAULT_TRASH_POLICY,
  type MakeRoom,
  type TrashOwner,
  type TrashPolicy,
  type TrashRecords,
} from './trash-records.ts'
import type { VersionOwner, VersionRecords, VersionSettings } from './version-records.ts'

/** Creates a `Files` for an actor. */
export interface FilesService {
  /** Whether a move copies each entry, so that its duration grows with the size. */
  readonly movesByCopy: boolean
  /** Whether the storage has a trash. */
  readonly keepsDeleted: boolean
  /** Days after which the storage itself removes what is in the trash; nothing where it does not. */
  forgetsAfter(): Promise<number | undefined>
  /** Whether texts can be searched; else `findTexts` throws `not_indexed`. */
  readonly searchesContents: boolean
  /**
   * @param holding the tokens of locks that the request submitted
   * @throws AppError `not_found` when the actor's scope was deleted: it is never created again
   */
  for(actor: Actor, holding?: ReadonlySet<string>): Promise<Files>
  /** Whether permissions and rules let an actor see all of some paths; the store is not asked. */
  sees(actor: Actor, paths: readonly FilePath[]): Promise<boolean>
  /** The same of what is at a place of the served roots, where it may lie in a mount. */
  seesPlace(actor: Actor, place: FilePath): Promise<boolean>
  /** The place of a path in the served roots; of what others share, as if it were in the actor's own scope. For records. */
  placeOf(actor: Actor, path: FilePath): Promise<FilePath>
  /** The folder that holds what others share with an actor, if they share anything. */
  sharedFolder(actor: Actor): Promise<FilePath | undefined>
  /** The folders of other roots that an actor has, by the paths that the actor sees, and what is allowed there. */
  mountsOf(actor: Actor): Promise<VisibleMount[]>
  /** Finds what lies in other roots among the files of an actor. */
  inMounts(actor: Actor): Promise<FindInMounts>
  /** The decision about an effect on a path for an actor, step by step up to the first refusal. */
  why(actor: Actor, path: FilePath, effect: Effect): Promise<DecidedStep[]>
}

/** The path at which an actor sees a place of another root, and the permissions there; nothing where none leads to it. */
export type FindInMounts = (place: FilePath) => { path: FilePath; perm: Permissions } | undefined

export interface FilesDeps {
  /** The whole served root. */
  storage: StorageDriver
  cluster: Cluster
  /** Of the whole served root, if there is one. */
  index?: SearchIndex | undefined
  /** Those of the further roots, for their texts. */
  indexOf?: (root: string) => Promise<SearchIndex | undefined>
  /** Global rules; they precede the user's own. */
  globalRules(): Promise<readonly Rule[]>
  /**
   * The current state of a user; `undefined` once the account or the given session has ended. Without this function
   * rights do not change while a `Files` is in use.
   */
  actorNow?(id: number, sessionId?: string): Promise<Actor | undefined>
  /** The further roots, whose folders are mounts of users. Only where there can be any. */
  roots?: KnownRoots | undefined
  /** What others share with an actor who has `receiving`. */
  sharedWith?(actor: Actor): Promise<readonly SharedItem[]>
  /** Objects that end with the entries they belong to. */
  dependents?: Dependents
  /** Only where the host enables programs. */
  hooks?: Hooks | undefined
  /** Only where deleted things are kept. */
  trash?: TrashRecords | undefined
  trashPolicy?: TrashPolicy
  /** Only where replaced contents can be kept. */
  versions?: { records: VersionRecords; settings: VersionSettings } | undefined
  /** Only where changes are recorded. */
  changes?: ChangeRecords | undefined
  /** Who sees the names of other users in changes; everyone unless given. */
  activityNames?: ActivityNames
  /** Only where kept things can give way to new ones. */
  makeRoom?: MakeRoom | undefined
  /** Only where users can mark files. */
  marks?: MarkRecords | undefined
  /** Only where links can be made. */
  links?: LinksOf | undefined
  /** Who makes shared tags; administrators unless given. */
  sharedTags?: SharedTags
  /** Only where checksums are recorded. */
  sums?: SumRecords | undefined
  /** Only where programs can set properties. */
  properties?: PropertyRecords | undefined
  /** Only where there are locks. */
  locks?: LockRecords | undefined
  /** Only where there can be quotas. */
  quotas?: { for(actor: Actor): Metering } | undefined
}

const sharesTags = ({ admin, modify }: Actor['perm'], who: SharedTags = 'admins'): boolean =>
  admin || (who === 'modify' && modify)

function marksOf(actor: Actor, { marks, sharedTags }: Pick<FilesDeps, 'marks' | 'sharedTags'>): MarkOwner | undefined {
  if (!marks || actor.id === undefined) return undefined
  const author = { id: actor.id, username: actor.username ?? '', isAdmin: actor.perm.admin }
  return { records: marks, id: actor.id, author, sharesTags: sharesTags(actor.perm, sharedTags) }
}

const NOTHING_HELD: ReadonlySet<string> = new Set()

export function createFiles(deps: FilesDeps): FilesService {
  const {
    storage,
    cluster,
    globalRules,
    actorNow,
    hooks,
    index,
    trash: records,
    versions,
    makeRoom,
    dependents = NO_DEPENDENTS,
  } = deps
  const names = new NameReservations()
  const served = () => storage.within(ROOT, EVERYTHING)
  const contextOf = (actor: Actor): Promise<ActorContext> => contextFor(deps, actor)
  return {
    movesByCopy: storage.copy !== undefined,
    keepsDeleted: records !== undefined && storage.kept !== undefined,
    forgetsAfter: async () => storage.kept?.forgetsAfter?.(),
    searchesContents: index?.findTexts !== undefined,
    async for(actor, holding = NOTHING_HELD) {
      const { base, topOf, places: all, ...context } = await contextOf(actor)
      const around = aroundOperationsOf(hooks, actor, context.store, topOf)
      const recheck = recheckFor(actor, { actorNow, contextOf })
      const places = new Places(served, base, dependents)
      return new Files(
        {
          ...context,
          index,
          indexOf: deps.indexOf,
          tops: all?.flatMap(({ visible, root }) => (root === undefined ? [] : visible)),
        },
        base,
        cluster,
        {
          recheck,
          sums: deps.sums,
          properties: deps.properties,
          around,
          names,
          places,
          trash: records && ownerOf(actor, records, deps.trashPolicy ?? DEFAULT_TRASH_POLICY),
          versions: versions && writerOf(actor, versions),
          marks: marksOf(actor, deps),
          makeRoom: makeRoom && (({ place, ...more }) => makeRoom({ place: base.placeOf(place), ...more })),
          locks: locksOf(actor, deps, { places: { served, base }, holding }),
          ...recordOf(actor, base, deps),
        },
      )
    },
    async sees(actor, paths) {
      const { policy } = actor.receiving ? await contextOf(actor) : { policy: policyFor(actor, await globalRules()) }
      return paths.every(path => policy.may('list', path) && policy.sees(path))
    },
    async seesPlace(actor, place) {
      const { base, policy } = await contextOf(actor)
      const path = base.pathOf(place)
      return path !== undefined && policy.may('list', path) && policy.sees(path)
    },
    async placeOf(actor, path) {
      const isAside = actor.mounts?.some(({ name }) => mayShowAs(name, path))
      const context = isAside && (await contextOf(actor).catch(() => undefined))
      const place = context ? context.base.placeOf(path) : undefined
      return place && isInOtherRoot(place) ? place : joinPath(scopeFolder(actor.scope), path)
    },
    sharedFolder: async actor => (actor.receiving ? (await contextOf(actor)).policy.sharedFolder : undefined),
    async mountsOf(actor) {
      if (!actor.mounts) return []
      const { policy, places = [] } = await contextOf(actor)
      return visibleMounts(places, policy)
    },
    async inMounts(actor) {
      const { base, places = [] } = actor.mounts ? await contextOf(actor) : { base: undefined }
      return place => {
        const path = base && isInOtherRoot(place) ? base.pathOf(place) : undefined
        const spot = path === undefined ? undefined : spotOf({ at: undefined, places }, path)
        return path !== undefined && spot?.kind === 'place' ? { path, perm: spot.place.perm } : undefined
      }
    },
    async why(actor, path, effect) {
      const shared = await globalRules()
      const policy = policyFor(actor, shared)
      const base = scopeFolder(actor.scope)
      const opened = actor.hasHome === false ? storeOfNoHome(storage) : undefined
      const [store, whole] = await Promise.all([
        opened ?? storage.within(base, policy.sees),
        opened ?? storage.within(base),
      ])
      const rules = ownReasons(actor, policy, shared)
      const own = opened ? reasonsWithoutHome(rules, policy, path) : rules
      const { places, policy: joint } = await contextOf(actor)
      if (!places) return explain({ ...own, store, whole }, path, effect)
      const all = { at: joint.sharedFolder, places }
      const stores = {
        store: joinedStore({ all, own: store, open: opening('guarded'), served: storage }),
        whole: joinedStore({ all, own: whole, open: opening('whole'), served: storage }),
      }
      return explain({ ...reasonsIn(actor, { own, joint, all }, path), ...stores }, path, effect)
    },
  }
}

/** What the `Files` of an actor work in. */
interface ActorContext extends FilesContext {
  base: Base
  /** Without the guard. */
  whole(): Promise<StorageDriver>
  /** What lies in other roots, and what others share. */
  places?: readonly Place[]
  /** The top of the mount that a path lies in. */
  topOf?(path: FilePath): FilePath | undefined
  /** The names of what others share. */
  sharedNames?: SharedNames | undefined
}

/** The actor's own scope; where others share anything with them, joined with that. */
async function contextFor(deps: FilesDeps, actor: Actor): Promise<ActorContext> {
  const { globalRules, sharedWith } = deps
  const metering = deps.quotas?.for(actor)
  const storage = metering ? meteredStore(deps.storage, ROOT, metering) : deps.storage
  const rules = await globalRules()
  const policy = policyFor(actor, rules)
  const own = actor.hasHome === false ? await noHome(storage, actor, policy) : await atHome(storage, actor, policy)
  const { receiving } = actor
  if (!receiving) return own
  const items = sharedWith ? await sharedWith(actor) : []
  const hall = items.length === 0 ? undefined : await freeHall(await own.whole())
  const served = { storage, globalRules: rules }
  const shared = hall === undefined ? [] : items.flatMap(item => placeOfItem(served, item, receiving, hall) ?? [])
  const at = shared.length === 0 ? undefined : hall
  const places = [...shared, ...(await mountsIn({ storage, roots: deps.roots }, own, actor, at))]
  return places.length === 0 ? own : joined(own, { at, places }, storage)
}

async function atHome(storage: StorageDriver, { scope, id }: Actor, policy: Policy): Promise<ActorContext> {
  const folder = scopeFolder(scope)
  const guarded = await guardedStore(storage, folder, policy)
  const store = id === undefined ? withHandles(guarded, storage) : guarded
  return { policy, store, whole: () => storage.within(folder), base: baseAt(folder) }
}

async function noHome(storage: StorageDriver, { scope }: Actor, policy: Policy): Promise<ActorContext> {
  const store = await storeOfNoHome(storage)
  return { policy, store, whole: async () => store, base: baseOfNoHome(baseAt(scopeFolder(scope))) }
}

/** The folders of other roots that an actor has. */
async function mountsIn(
  { storage, roots }: Pick<FilesDeps, 'storage' | 'roots'>,
  { policy, whole }: ActorContext,
  { mounts, receiving: most, perm, ceiling }: Actor,
  hall: FilePath | undefined,
): Promise<Place[]> {
  if (!roots || !mounts || !most) return []
  const named = await namedMounts(mounts, await whole(), hall)
  return named.flatMap(
    ([mount, path]) =>
      placeOfMount({ storage, roots }, mount, { own: policy.elsewhere ?? policy, most, perm, ceiling }, path) ?? [],
  )
}

const opening = (how: 'guarded' | 'whole') => (place: Place) => place.open(how)

function joined(own: ActorContext, all: PlaceList, served: StorageDriver): ActorContext {
  return {
    places: all.places,
    base: joinedBase(own.base, all),
    policy: joinedPolicy(own.policy, all),
    store: joinedStore({ all, own: own.store, open: opening('guarded'), served }),
    whole: async () => joinedStore({ all, own: await own.whole(), open: opening('whole'), served }),
    sharedNames: sharedNames(all),
    topOf(path) {
      const spot = spotOf(all, path)
      return spot.kind === 'place' && spot.place.root !== undefined ? spot.place.visible : undefined
    },
  }
}

/** Views of share links change nothing. */
function recordOf(
  { id, username, perm, recording }: Actor,
  base: Base,
  { changes: records, activityNames: names = 'everyone', links }: FilesDeps,
) {
  if (!records || !recording || id === undefined || username === undefined) return {}
  const history = { records, id, session: recording.origin.session, isAdmin: perm.admin, names }
  const record = recorderInto(recording, { id, username }, base)
  return { changes: { record, recording, history, links: links?.({ id, isAdmin: perm.admin }) } }
}

/** Visitors of share links hold no locks. */
function locksOf(
  { id, perm, sessionId = '' }: Actor,
  { locks: records, activityNames: names = 'everyone' }: FilesDeps,
  { places, holding }: { places: LockPlaces; holding: ReadonlySet<string> },
) {
  if (!records) return undefined
  const holder = id === undefined ? undefined : { records, id, isAdmin: perm.admin, bearer: sessionId, holding, names }
  return { guard: lockGuard(records, places, holder), places, holder }
}

/** Visitors of share links delete nothing. */
function ownerOf({ id, username, perm }: Actor, records: TrashRecords, policy: TrashPolicy): TrashOwner | undefined {
  if (id === undefined || username === undefined) return undefined
  return { records, policy, id, username, isAdmin: perm.admin }
}

function writerOf(
  { id, username }: Actor,
  versions: { records: VersionRecords; settings: VersionSettings },
): VersionOwner | undefined {
  return id === undefined || username === undefined ? undefined : { ...versions, id, username }
}
