import type { TrashResult } from '../../../shared/api/trash.ts'
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
import { type Restoration, restoreKept } from '../files/api/trash.ts'
import { requestFocus } from '../files/items/focus-request.ts'
import type { Conflict, Decided, Decision } from '../files/operations/conflicts/conflict.ts'
import { offerUndo } from '../files/operations/undo.ts'

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
    return all.some(({ result }) => result?.state === 'done')
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

async function send(orders: readonly Order[], how: Omit<Restoration, 'items'>, gesture: string): Promise<Sent> {
  const items = orders.map(({ item: { id, inner }, to }) => ({ id, to, ...(inner !== undefined && { inner }) }))
  const { results, change } = await restoreKept({ items, ...how }, gesture)
  return {
    orders: orders.map((order, index) => ({ ...order, ...(results[index] && { result: results[index] }) })),
    change,
  }
}

/** Asks what to do where a name is taken. @returns the orders that were carried out then */
async function resolve(taken: readonly Order[], gesture: string): Promise<Sent> {
  if (taken.length === 0) return { orders: [] }
  const conflicts = taken.map(({ item, to }): Conflict => {
    const { name, isDir, size, modified } = item
    return { id: to, name, ours: { isDir, size, modified }, theirs: undefined }
  })
  const answers: Decided[] = []
  await promptAfterOthers('replace', { conflicts, onDecide: decided => answers.push(decided) })
  const [decided] = answers
  if (!decided) return { orders: [] }
  const choices = Object.fromEntries(conflicts.map(conflict => [conflict.id, choiceOf(decided.of(conflict))]))
  return send(
    taken.filter(({ to }) => choices[to] !== 'skip'),
    { choices },
    gesture,
  )
}

/** The dates and contents of what is there are not known here, so a choice that depends on them keeps both. */
const choiceOf = (decision: Decision) =>
  decision === 'replace' || decision === 'skip' ? decision : ('keepBoth' as const)

function report(orders: readonly Order[], change: string | undefined, into: FilePath | undefined): void {
  const back = orders.flatMap(({ result }) => (result?.state === 'done' && result.to ? [parsePath(result.to)] : []))
  const [first] = back
  if (first !== undefined) {
    const show = () => {
      requestFocus(parentOf(first), nameOf(first))
      void navigate(filesUrl(parentOf(first), true))
    }
    offerUndo(t('trash.restored', { count: back.length }), [change], {
      others: [{ label: t('trash.show'), run: show }],
    })
  }
  const failed = orders.filter(({ result }) => result?.state === 'failed')
  if (failed.length === 0) return
  void promptAfterOthers('error', {
    title: t('trash.restoreFailed', { count: failed.length }),
    failures: failed.map(({ item, result }) => ({
      name: item.name,
      reason: errorMessageOf(jobErrorOf(result?.code ?? '')),
    })),
    onRetry: () =>
      void restoreItems(
        failed.map(({ item }) => item),
        into,
      ),
  })
}
