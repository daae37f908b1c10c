import type { WhyStep } from '../../shared/api/explain-access.ts'
import type { Rule } from '../../shared/api/users.ts'
import { type FilePath, nameOf, parentOf, ROOT, trustedChild } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import { asAppError, type ErrorCode } from '../errors.ts'
import type { Entry, StorageDriver, SystemRights } from '../storage/driver.ts'
import type { ReasonedPolicy } from './policy.ts'
import { type Decision, isAllowed } from './rules.ts'

/** What decisions are made of: the same things that a `Files` of the same person asks. */
export interface WhyGround {
  policy: ReasonedPolicy
  /** The scope, guarded by the policy. */
  store: StorageDriver
  /** The scope without the guard. */
  whole: StorageDriver
  /** Whether a rule is one for everybody. */
  isShared(rule: Rule): boolean
}

/** A step with everything that decided it; not all of that is for the user whom it is about. */
export interface DecidedStep extends Omit<WhyStep, 'rights'> {
  /** Of a refusal by the operating system. */
  inTheWay?: InTheWay
}

/** The thing that the operating system keeps the server from, if it is known which. */
export interface InTheWay extends SystemRights {
  path: FilePath
  isFolder: boolean
  lacks: keyof SystemRights['may']
  /** Where it is on this machine. */
  real: string
}

/** What acts on a link itself, not on what it leads to. */
const ON_ITEM: ReadonlySet<Effect> = new Set(['remove', 'rename'])
const READING: ReadonlySet<Effect> = new Set(['list', 'share', 'read'])

/** Goes through what decides over an effect on a path, up to the first refusal. Nothing is changed. */
export async function explain(ground: WhyGround, path: FilePath, effect: Effect): Promise<DecidedStep[]> {
  const steps: DecidedStep[] = []
  for await (const step of stepsOf(ground, path, effect)) {
    steps.push(step)
    if (!step.ok) break
  }
  return steps
}

async function* stepsOf(ground: WhyGround, path: FilePath, effect: Effect): AsyncGenerator<DecidedStep> {
  const { policy } = ground
  const missing = [...policy.missing(effect)]
  yield { check: 'permission', ok: missing.length === 0, ...(missing.length === 0 ? {} : { missing }) }
  yield { check: 'rule', ...ruled(ground, policy.decide(path)) }
  const met = await meet(ground, path, effect)
  const { leads } = met
  if (leads !== undefined) yield { check: 'link', ...ruled(ground, policy.decide(leads)), leads }
  if (met.code === 'outside_scope') yield { check: 'link', ok: false, code: met.code }
  if (met.code !== 'server_refused') yield fileStep(met, path, effect)
  yield await modeStep(ground, path, effect, met)
}

function ruled({ isShared }: WhyGround, decision: Decision): Pick<WhyStep, 'ok' | 'by' | 'rule'> {
  const ok = isAllowed(decision)
  if (decision === undefined || decision === 'hidden') return { ok, by: decision ?? 'none' }
  return { ok, by: isShared(decision.rule) ? 'global' : 'own', rule: decision.rule }
}

/** What an effect comes to at a path. */
interface Met {
  entry?: Entry
  /** Where links on the way lead, if there are any. */
  leads?: FilePath
  code?: ErrorCode
}

/** A place that is denied is looked at no further: the answer is the same whether or not something is there. */
async function meet(ground: WhyGround, path: FilePath, effect: Effect): Promise<Met> {
  const { policy, whole } = ground
  if (!ON_ITEM.has(effect) || path === ROOT) return meetTarget(ground, path)
  const folder = await meetTarget(ground, parentOf(path))
  if (folder.code !== undefined || (folder.leads !== undefined && !policy.sees(folder.leads))) return folder
  const place = trustedChild(folder.leads ?? parentOf(path), nameOf(path))
  const met = policy.sees(place) ? await statOf(whole, path) : {}
  return place === path ? met : { ...met, leads: place }
}

async function meetTarget({ policy, store, whole }: WhyGround, path: FilePath): Promise<Met> {
  const met = await statOf(store, path)
  const isDenied = met.code === 'forbidden'
  if (isDenied && !policy.sees(path)) return met
  const { entry } = isDenied ? await statOf(whole, path) : met
  if (entry?.kind === 'link' || (isDenied && !entry)) return { code: 'outside_scope' }
  const leads = entry && entry.canonical !== path ? { leads: entry.canonical } : {}
  return isDenied ? leads : { ...met, ...leads }
}

async function statOf(store: StorageDriver, path: FilePath): Promise<Met> {
  try {
    const entry = await store.stat(path)
    return entry ? { entry } : {}
  } catch (thrown) {
    return { code: asAppError(thrown).code }
  }
}

function fileStep({ entry, code }: Met, path: FilePath, effect: Effect): DecidedStep {
  const refusal = code ?? refusalOf(entry, path, effect)
  return { check: 'file', ok: refusal === undefined, ...(refusal === undefined ? {} : { code: refusal }) }
}

/** What keeps the effect from a thing, whoever asks. */
function refusalOf(entry: Entry | undefined, path: FilePath, effect: Effect): ErrorCode | undefined {
  if (path === ROOT && !READING.has(effect)) return 'forbidden'
  if (!entry) return effect === 'create' ? undefined : 'not_found'
  if (ON_ITEM.has(effect)) return undefined
  if (entry.kind === 'special' && effect !== 'list') return 'special_file'
  return undefined
}

/** Whether the operating system lets this process do it: what is read is opened, folders are asked about. */
async function modeStep(ground: WhyGround, path: FilePath, effect: Effect, met: Met): Promise<DecidedStep> {
  const isRead = READING.has(effect)
  const code = met.code ?? (await refusedBySystem(ground.store, path, isRead, met.entry))
  if (code === undefined) return { check: 'mode', ok: true }
  const at = isRead ? path : parentOf(path)
  const inTheWay = code === 'server_refused' ? await thingInTheWay(ground, at, isRead ? 'read' : 'write') : undefined
  return { check: 'mode', ok: false, code, ...(inTheWay && { inTheWay }) }
}

async function refusedBySystem(store: StorageDriver, path: FilePath, isRead: boolean, entry: Entry | undefined) {
  try {
    if (isRead && entry?.kind === 'file') await (await store.read(path)).close()
    if (isRead && entry?.kind === 'folder') for await (const _batch of store.list(path)) break
    if (isRead) return undefined
    const rights = await store.rights?.(await nearestFolder(store, parentOf(path)))
    return rights?.may.write === false ? 'server_refused' : undefined
  } catch (thrown) {
    return asAppError(thrown).code
  }
}

/** The folder that is there of those that lead to a path; missing ones are made on the way. */
async function nearestFolder(store: StorageDriver, folder: FilePath): Promise<FilePath> {
  if (folder === ROOT || (await store.stat(folder))) return folder
  return nearestFolder(store, parentOf(folder))
}

/** The nearest thing on the way to a path of which the system tells anything, if that lacks the right. */
async function thingInTheWay(
  ground: WhyGround,
  path: FilePath,
  lacks: InTheWay['lacks'],
): Promise<InTheWay | undefined> {
  const { store, whole } = ground
  try {
    const rights = await store.rights?.(path)
    const entry = await store.stat(path)
    if (!rights || !entry || rights.may[lacks]) return undefined
    return {
      ...rights,
      path,
      isFolder: entry.kind === 'folder',
      lacks,
      real: whole.localPath?.(entry.canonical) ?? path,
    }
  } catch (thrown) {
    const isFurtherUp = path !== ROOT && ['server_refused', 'not_found'].includes(asAppError(thrown).code)
    return isFurtherUp ? thingInTheWay(ground, parentOf(path), lacks) : undefined
  }
}
