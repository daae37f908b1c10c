import type { Rule } from '../../shared/api/users.ts'
import type { WhyStep } from '../../shared/api/why.ts'
import { type FilePath, parentOf, ROOT } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import { asAppError, type ErrorCode } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { ReasonedPolicy } from './policy.ts'
import { type Decision, isAllowed } from './rules.ts'

export type { WhyStep } from '../../shared/api/why.ts'

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

/** What acts on a link itself, not on what it leads to. */
const ON_ITEM: ReadonlySet<Effect> = new Set(['remove', 'rename'])

/** Goes through what decides over an effect on a path, up to the first refusal. Nothing is changed. */
export async function explain(ground: WhyGround, path: FilePath, effect: Effect): Promise<WhyStep[]> {
  const steps: WhyStep[] = []
  for await (const step of stepsOf(ground, path, effect)) {
    steps.push(step)
    if (!step.ok) break
  }
  return steps
}

async function* stepsOf(ground: WhyGround, path: FilePath, effect: Effect): AsyncGenerator<WhyStep> {
  const { policy, whole } = ground
  const missing = [...policy.missing(effect)]
  yield { check: 'permission', ok: missing.length === 0, ...(missing.length === 0 ? {} : { missing }) }
  yield { check: 'rule', ...ruled(ground, policy.decide(path)) }
  const standing = await entryAt(whole, path)
  yield fileStep(standing, path, effect)
  const { entry } = standing
  if (entry && !ON_ITEM.has(effect) && entry.canonical !== path) {
    yield { check: 'link', ...ruled(ground, policy.decide(entry.canonical)), leads: entry.canonical }
  }
  yield await modeStep(ground, path, effect, entry)
}

function ruled({ isShared }: WhyGround, decision: Decision): Pick<WhyStep, 'ok' | 'by' | 'rule'> {
  const ok = isAllowed(decision)
  if (decision === undefined || decision === 'hidden') return { ok, by: decision ?? 'none' }
  return { ok, by: isShared(decision.rule) ? 'global' : 'own', rule: decision.rule }
}

interface Standing {
  entry?: Entry
  code?: ErrorCode
}

async function entryAt(whole: StorageDriver, path: FilePath): Promise<Standing> {
  try {
    const entry = await whole.stat(path)
    return entry ? { entry } : {}
  } catch (thrown) {
    return { code: asAppError(thrown).code }
  }
}

function fileStep({ entry, code }: Standing, path: FilePath, effect: Effect): WhyStep {
  const refusal = code ?? refusalOf(entry, path, effect)
  return { check: 'file', ok: refusal === undefined, ...(refusal === undefined ? {} : { code: refusal }) }
}

/** What keeps the effect from a thing, whoever asks. */
function refusalOf(entry: Entry | undefined, path: FilePath, effect: Effect): ErrorCode | undefined {
  if (path === ROOT && !['list', 'share', 'read'].includes(effect)) return 'forbidden'
  if (!entry) return effect === 'create' ? undefined : 'not_found'
  if (ON_ITEM.has(effect)) return undefined
  if (entry.kind === 'link') return 'outside_scope'
  if (entry.kind === 'special' && effect !== 'list') return 'special_file'
  return undefined
}

/** Whether the system lets this process do it: content is opened, folders are asked about. */
async function modeStep(
  { store }: WhyGround,
  path: FilePath,
  effect: Effect,
  entry: Entry | undefined,
): Promise<WhyStep> {
  const code = await refusedBySystem(store, path, effect, entry)
  return { check: 'mode', ok: code === undefined, ...(code === undefined ? {} : { code }) }
}

async function refusedBySystem(store: StorageDriver, path: FilePath, effect: Effect, entry: Entry | undefined) {
  try {
    if (effect === 'list' || effect === 'share' || effect === 'read') {
      if (entry?.kind === 'file') await (await store.read(path)).close()
      return undefined
    }
    const folder = await nearestFolder(store, parentOf(path))
    return (await store.writable?.(folder)) === false ? 'forbidden' : undefined
  } catch (thrown) {
    return asAppError(thrown).code
  }
}

/** The folder that is there of those that lead to a path; missing ones are made on the way. */
async function nearestFolder(store: StorageDriver, folder: FilePath): Promise<FilePath> {
  if (folder === ROOT || (await store.stat(folder))) return folder
  return nearestFolder(store, parentOf(folder))
}
