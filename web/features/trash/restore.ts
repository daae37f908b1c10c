import type { FoundConflict } from '../../../shared/api/conflicts.ts'
import type { TrashResult } from '../../../shared/api/trash.ts'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, nameOf, parentOf, parsePath } from '../../../shared/path.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { promptAfterOthers } from '../../lib/prompts.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { errorMessageOf } from '../files/api/error-messages.ts'
import { newGesture } from '../files/api/gesture.ts'
import { jobErrorOf } from '../files/api/job-error.ts'
import { reloadFolders } from '../files/api/list.ts'
import { findConflicts, type Restoration, restoreKept } from '../files/api/trash.ts'
import { requestFocus } from '../files/items/focus-request.ts'
import type { Conflict, Decided, Decision } from '../files/operations/conflicts/conflict.ts'
import { isMerge } from '../files/operations/conflicts/decisions.ts'
import { offerUndo } from '../files/operations/undo.ts'
import { closeVainOffers } from './close-offers.ts'

/** An item to restore: one of the trash, or one inside it. */
export interface Restorable {
  id: string
  /** The path inside the item of the trash. */
  inner?: FilePath
  name: string
  /** The path that it had. */
  path: string
  isDir: boolean
  size: number
  modified: string
}

interface Order {
  item: Restorable
  to: FilePath
  result?: TrashResult
}

/**
 * Restores items to where they were, or into a folder, and asks about names that are taken. Never rejects; it reports
 * failures.
 * @returns whether any came back
 */
export async function restoreItems(items: readonly Restorable[], into?: FilePath): Promise<boolean> {
  const orders: Order[] = items.map(item => ({ item, to: placeOf(item, into) }))
  try {
    const gesture = newGesture()
    const first = await send(orders, { conflict: 'skip' }, gesture)
    const taken = first.orders.filter(({ result }) => result?.state === 'skipped')
    const others = first.orders.filter(({ result }) => result?.state !== 'skipped')
    const decided = await resolve(taken, gesture)
    const all = [...others, ...decided.orders]
    report(all, decided.change ?? first.change, into)
    const isAny = all.some(({ result }) => result?.state === 'done')
    if (isAny) void closeVainOffers()
    return isAny
  } catch (error) {
    notify('error', errorText(error))
    return false
  } finally {
    await reloadFolders()
  }
}

const placeOf = ({ name, path }: Restorable, into: FilePath | undefined): FilePath =>
  into === undefined ? parsePath(path) : parsePath(`${into === '/' ? '' : into}/${name}`)

interface Sent {
  orders: readonly Order[]
  /** The id of the change. */
  change?: string | undefined
}

const itemsOf = (orders: readonly Order[]): Restoration['items'] =>
  orders.map(({ item: { id, inner }, to }) => ({ id, to, ...(inner !== undefined && { inner }) }))

async function send(orders: readonly Order[], how: Omit<Restoration, 'items'>, gesture: string): Promise<Sent> {
  const { results, change } = await restoreKept({ items: itemsOf(orders), ...how }, gesture)
  return {
    orders: orders.map((order, index) => ({ ...order, ...(results[index] && { result: results[index] }) })),
    change,
  }
}

/** Asks what to do where a name is taken, also in a folder. @returns the orders that were carried out then */
async function resolve(taken: readonly Order[], gesture: string): Promise<Sent> {
  if (taken.length === 0) return { orders: [] }
  const { conflicts: found, more } = await findConflicts(itemsOf(taken)).catch(() => ({ conflicts: [], more: 0 }))
  const byItem = Map.groupBy(found, ({ item }) => item)
  const listed = taken.map((order, index) => ({ order, conflicts: conflictsOf(order, byItem.get(index) ?? []) }))
  const answers: Decided[] = []
  await promptAfterOthers('replace', {
    conflicts: listed.flatMap(({ conflicts }) => conflicts),
    more,
    onDecide: decided => answers.push(decided),
  })
  const [decided] = answers
  if (!decided) return { orders: [] }
  const choices = Object.fromEntries(
    listed.flatMap(({ conflicts }) =>
      conflicts.map(conflict => [conflict.id, choiceOf(decided.of(conflict), conflict)] as const),
    ),
  )
  const wanted = listed.filter(({ conflicts }) => more > 0 || conflicts.some(({ id }) => choices[id] !== 'skip'))
  const rest = more > 0 ? { conflict: choiceOf(decided.rest) } : {}
  return send(
    wanted.map(({ order }) => order),
    { choices, ...rest },
    gesture,
  )
}

/** What is taken: the name of an item, or names in a folder that merges. */
function conflictsOf({ item, to }: Order, found: readonly FoundConflict[]): Conflict[] {
  const met = found.filter(conflict => !isMerge(conflict))
  if (met.length === 0) {
    const { name, isDir, size, modified } = item
    return [{ id: to, name, ours: { isDir, size, modified }, theirs: undefined }]
  }
  const parent = parentOf(to)
  const above = parent === '/' ? 1 : parent.length + 1
  return met.map(({ to: id, ours, theirs }) => ({
    id,
    name: id.slice(above),
    ours,
    theirs: { ...theirs, source: parsePath(id) },
  }))
}

/** The contents are not compared here, so a choice that depends on them keeps both. */
function choiceOf(decision: Decision, conflict?: Conflict): 'replace' | 'skip' | 'keepBoth' {
  if (decision === 'replace' || decision === 'skip') return decision
  if (decision !== 'replaceOlder' || !conflict?.theirs) return 'keepBoth'
  const time = ({ modified }: Conflict['ours']) => new Date(modified).getTime()
  return time(conflict.ours) > time(conflict.theirs) ? 'replace' : 'skip'
}

const reasonOf = (code: string) => (code === 'unsupported' ? t('trash.ownDisk') : errorMessageOf(jobErrorOf(code)))

function report(orders: readonly Order[], change: string | undefined, into: FilePath | undefined): void {
  const back = orders.flatMap(({ result }) => (result?.state === 'done' && result.to ? [parsePath(result.to)] : []))
  const [first] = back
  if (first !== undefined) {
    const show = () => {
      requestFocus(parentOf(first), nameOf(first))
      void navigate(filesUrl(parentOf(first), true))
    }
    offerUndo(t('trash.restored', { count: back.length, item: shownName(nameOf(first)) }), [change], {
      others: [{ label: t('trash.show'), run: show }],
    })
  }
  const failed = orders.filter(({ result }) => result?.state === 'failed')
  if (failed.length === 0) return
  void promptAfterOthers('error', {
    title: t('trash.restoreFailed', { count: failed.length }),
    failures: failed.map(({ item, result }) => ({
      name: item.name,
      reason: reasonOf(result?.code ?? ''),
    })),
    onRetry: () =>
      void restoreItems(
        failed.map(({ item }) => item),
        into,
      ),
  })
}
