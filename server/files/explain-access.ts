import type { WhyStep } from '../../shared/api/explain-access.ts'
import type { Rule } from '../../shared/api/users.ts'
import { type FilePath, nameOf, parentOf, ROOT, trustedChild } from '../../shared/path.ts'
import { type Effect, neededFor, type Permission } from '../../shared/permissions.ts'
import { asAppError, type ErrorCode } from '../errors.ts'
import type { Entry, StorageDriver, SystemRights } from '../storage/driver.ts'
import type { Actor, ReasonedPolicy } from './policy.ts'
import { type Decision, isAllowed } from './rules.ts'

/** The inputs of the decisions, the same as for the `Files` of the user. */
export interface ExplainContext extends Reasons {
  /** What the user may reach, guarded by the policy. */
  store: StorageDriver
  /** The same without the guard. */
  whole: StorageDriver
}

/** Who decides about the paths of one place. */
export interface Reasons {
  /** The highest path there. */
  top: FilePath
  /** Where a path lies that is not in the user's own scope. */
  placed?(effect: Effect): DecidedStep
  /** The missing permissions for an effect. */
  missing(effect: Effect): readonly Permission[]
  sees(path: FilePath): boolean
  /** What decided about a path. */
  ruled(path: FilePath): Ruled
  /** Who gives a permission that the user has. */
  giversOf(permission: Permission): Given
}

export type Given = NonNullable<WhyStep['given']>[number]
export type Ruled = Pick<WhyStep, 'ok' | 'by' | 'group' | 'rule'>

/** A step with all its reasons; not all of them are for the user in question. */
export interface DecidedStep extends Omit<WhyStep, 'rights'> {
  /** Of a refusal by the operating system. */
  blockedBy?: BlockingEntry
}

/** The entry that the operating system denies to the server, if known. */
export interface BlockingEntry extends SystemRights {
  path: FilePath
  isFolder: boolean
  lacks: keyof SystemRights['may']
  /** Its path on this machine. */
  real: string
}

/** Who gave the rules and the permissions of an actor. */
export function causesOf(
  { perm, own, groups = [] }: Actor,
  globalRules: readonly Rule[],
): { causeOf(rule: Rule): Pick<WhyStep, 'by' | 'group'>; giversOf(permission: Permission): Given } {
  const nameOf = ({ id, name }: { id: string; name: string }) => ({ id, name })
  return {
    causeOf(rule) {
      const group = groups.find(({ rules }) => rules.includes(rule))
      if (group) return { by: 'group', group: nameOf(group) }
      return { by: globalRules.includes(rule) ? 'global' : 'own' }
    },
    giversOf: permission => ({
      permission,
      own: (own?.perm ?? perm)[permission],
      groups: groups.filter(group => group.perm[permission]).map(nameOf),
    }),
  }
}

/** The reasons for paths of the user's own scope. */
export function ownReasons(actor: Actor, policy: ReasonedPolicy, globalRules: readonly Rule[]): Reasons {
  const { causeOf, giversOf } = causesOf(actor, globalRules)
  const { missing, sees } = policy
  return { top: ROOT, missing, sees, giversOf, ruled: path => ruledBy(policy.decide(path), causeOf) }
}

function ruledBy(decision: Decision, causeOf: ReturnType<typeof causesOf>['causeOf']): Ruled {
  const ok = isAllowed(decision)
  if (decision === undefined || decision === 'hidden') return { ok, by: decision ?? 'none' }
  return { ok, ...causeOf(decision.rule), rule: decision.rule }
}

/** Effects on a link itself, not on its target. */
const ON_ITEM: ReadonlySet<Effect> = new Set(['remove', 'rename'])
const READING: ReadonlySet<Effect> = new Set(['list', 'share', 'read'])

/** The checks for an effect on a path, up to the first refusal. Nothing is changed. */
export async function explain(context: ExplainContext, path: FilePath, effect: Effect): Promise<DecidedStep[]> {
  const steps: DecidedStep[] = []
  for await (const step of stepsOf(context, path, effect)) {
    steps.push(step)
    if (!step.ok) break
  }
  return steps
}

async function* stepsOf(context: ExplainContext, path: FilePath, effect: Effect): AsyncGenerator<DecidedStep> {
  if (context.placed) yield context.placed(effect)
  yield permissionStep(context, effect)
  yield { check: 'rule', ...context.ruled(path) }
  const found = await resolve(context, path, effect)
  const { leads } = found
  if (leads !== undefined) yield { check: 'link', ...context.ruled(leads), leads }
  if (found.code === 'outside_scope') yield { check: 'link', ok: false, code: found.code }
  if (found.code !== 'server_refused') yield fileStep(found, path, effect)
  yield await modeStep(context, path, effect, found)
}

function permissionStep({ missing: missingFor, giversOf, placed }: ExplainContext, effect: Effect): DecidedStep {
  const missing = [...missingFor(effect)]
  const given = neededFor(effect)
    .filter(name => !missing.includes(name))
    .map(giversOf)
    .filter(({ groups, own, inherited }) => groups.length > 0 || (placed && (own || inherited)))
  return {
    check: 'permission',
    ok: missing.length === 0,
    ...(missing.length > 0 && { missing }),
    ...(given.length > 0 && { given }),
  }
}

/** What an effect applies to at a path. */
interface EffectTarget {
  entry?: Entry
  /** The target of symbolic links on the path, if there are any. */
  leads?: FilePath
  code?: ErrorCode
}

/** A denied path is not read: the answer is the same whether or not the entry exists. */
async function resolve(context: ExplainContext, path: FilePath, effect: Effect): Promise<EffectTarget> {
  const { sees, whole, top } = context
  if (!ON_ITEM.has(effect) || path === top) return resolveTarget(context, path)
  const folder = await resolveTarget(context, parentOf(path))
  if (folder.code !== undefined || (folder.leads !== undefined && !sees(folder.leads))) return folder
  const place = trustedChild(folder.leads ?? parentOf(path), nameOf(path))
  const found = sees(place) ? await statOf(whole, path) : {}
  return place === path ? found : { ...found, leads: place }
}

async function resolveTarget({ sees, store, whole }: ExplainContext, path: FilePath): Promise<EffectTarget> {
  const found = await statOf(store, path)
  const isDenied = found.code === 'forbidden'
  if (isDenied && !sees(path)) return found
  const { entry } = isDenied ? await statOf(whole, path) : found
  if (entry?.kind === 'link' || (isDenied && !entry)) return { code: 'outside_scope' }
  const leads = entry && entry.canonical !== path ? { leads: entry.canonical } : {}
  return isDenied ? leads : { ...found, ...leads }
}

async function statOf(store: StorageDriver, path: FilePath): Promise<EffectTarget> {
  try {
    const entry = await store.stat(path)
    return entry ? { entry } : {}
  } catch (thrown) {
    return { code: asAppError(thrown).code }
  }
}

function fileStep({ entry, code }: EffectTarget, path: FilePath, effect: Effect): DecidedStep {
  const refusal = code ?? refusalOf(entry, path, effect)
  return { check: 'file', ok: refusal === undefined, ...(refusal === undefined ? {} : { code: refusal }) }
}

/** What prevents the effect on an entry for any user. */
function refusalOf(entry: Entry | undefined, path: FilePath, effect: Effect): ErrorCode | undefined {
  if (path === ROOT && !READING.has(effect)) return 'forbidden'
  if (!entry) return effect === 'create' ? undefined : 'not_found'
  if (ON_ITEM.has(effect)) return undefined
  if (entry.kind === 'special' && effect !== 'list') return 'special_file'
  return undefined
}

/** Whether the operating system allows it to this process: files are opened, folders are tested. */
async function modeStep(
  context: ExplainContext,
  path: FilePath,
  effect: Effect,
  found: EffectTarget,
): Promise<DecidedStep> {
  const isRead = READING.has(effect)
  const code = found.code ?? (await refusedBySystem(context, path, isRead, found.entry))
  if (code === undefined) return { check: 'mode', ok: true }
  const at = isRead ? path : parentOf(path)
  const blockedBy = code === 'server_refused' ? await blockingEntry(context, at, isRead ? 'read' : 'write') : undefined
  return { check: 'mode', ok: false, code, ...(blockedBy && { blockedBy }) }
}

async function refusedBySystem(
  { store, top }: ExplainContext,
  path: FilePath,
  isRead: boolean,
  entry: Entry | undefined,
): Promise<ErrorCode | undefined> {
  // A single file that another user shares: what lies next to it is not shared.
  const isAlone = path === top && entry?.kind === 'file'
  try {
    if (isRead && entry?.kind === 'file') await (await store.read(path)).close()
    if (isRead && entry?.kind === 'folder') for await (const _batch of store.list(path)) break
    if (isRead || isAlone) return undefined
    const rights = await store.disk?.rights(await nearestFolder(store, path === top ? top : parentOf(path)))
    return rights?.may.write === false ? 'server_refused' : undefined
  } catch (thrown) {
    return asAppError(thrown).code
  }
}

/** The nearest existing ancestor; missing folders are created on demand. */
async function nearestFolder(store: StorageDriver, folder: FilePath): Promise<FilePath> {
  if (folder === ROOT || (await store.stat(folder))) return folder
  return nearestFolder(store, parentOf(folder))
}

/** The nearest entry on the path with known permissions, if it lacks the right. */
async function blockingEntry(
  context: ExplainContext,
  path: FilePath,
  lacks: BlockingEntry['lacks'],
): Promise<BlockingEntry | undefined> {
  const { store, whole, top } = context
  try {
    const rights = await store.disk?.rights(path)
    const entry = await store.stat(path)
    if (!rights || !entry || rights.may[lacks]) return undefined
    return {
      ...rights,
      path,
      isFolder: entry.kind === 'folder',
      lacks,
      real: whole.disk?.pathOf(entry.canonical) ?? path,
    }
  } catch (thrown) {
    const isFurtherUp = path !== top && ['server_refused', 'not_found'].includes(asAppError(thrown).code)
    return isFurtherUp ? blockingEntry(context, parentOf(path), lacks) : undefined
  }
}
