import type { TrashResult } from '../../../shared/api/trash.ts'
import { type FilePath, nameOf, parentOf, parsePath } from '../../../shared/path.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { promptAfterOthers } from '../../lib/prompts.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { reloadFolders } from '../files/api/list.ts'
import { type Restoration, restoreKept } from '../files/api/trash.ts'
import { requestFocus } from '../files/items/focus-request.ts'
import type { Conflict, Decided, Decision } from '../files/operations/conflicts/conflict.ts'
import { errorMessageOf } from '../files/operations/error-messages.ts'
import { jobErrorOf } from '../files/operations/run-as-job.ts'

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
    const first = await send(orders, { conflict: 'skip' })
    const taken = first.filter(({ result }) => result?.state === 'skipped')
    const others = first.filter(({ result }) => result?.state !== 'skipped')
    const all = [...others, ...(await resolve(taken))]
    report(all, into)
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

async function send(orders: readonly Order[], how: Omit<Restoration, 'items'>): Promise<Order[]> {
  const items = orders.map(({ item: { id, inner }, to }) => ({ id, to, ...(inner !== undefined && { inner }) }))
  const results = await restoreKept({ items, ...how })
  return orders.map((order, index) => ({ ...order, ...(results[index] && { result: results[index] }) }))
}

/** Asks what to do where a name is taken. @returns the orders that were carried out then */
async function resolve(taken: readonly Order[]): Promise<Order[]> {
  if (taken.length === 0) return []
  const conflicts = taken.map(({ item, to }): Conflict => {
    const { name, isDir, size, modified } = item
    return { id: to, name, ours: { isDir, size, modified }, theirs: undefined }
  })
  const answers: Decided[] = []
  await promptAfterOthers('replace', { conflicts, onDecide: decided => answers.push(decided) })
  const [decided] = answers
  if (!decided) return []
  const choices = Object.fromEntries(conflicts.map(conflict => [conflict.id, choiceOf(decided.of(conflict))]))
  return send(
    taken.filter(({ to }) => choices[to] !== 'skip'),
    { choices },
  )
}

/** The dates and contents of what is there are not known here, so a choice that depends on them keeps both. */
const choiceOf = (decision: Decision) =>
  decision === 'replace' || decision === 'skip' ? decision : ('keepBoth' as const)

function report(orders: readonly Order[], into: FilePath | undefined): void {
  const back = orders.flatMap(({ result }) => (result?.state === 'done' && result.to ? [parsePath(result.to)] : []))
  const [first] = back
  if (first !== undefined) {
    const show = () => {
      requestFocus(parentOf(first), nameOf(first))
      void navigate(filesUrl(parentOf(first), true))
    }
    notify('success', t('trash.restored', { count: back.length }), { label: t('trash.show'), run: show })
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
