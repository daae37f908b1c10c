import { pageConfig } from '../../../lib/config.ts'
import { t } from '../../../lib/i18n/index.ts'
import { loadHistory } from '../../../lib/lazy.ts'
import { type NoticeAction, notify } from '../../../lib/notices.ts'
import { afterThoseUnderWay } from '../api/under-way.ts'
import type * as UndoChange from '../changes/undo-change.ts'

/** The changes of an operation that made something: its undo needs the trash. */
export const ifTrash = (changes: readonly (string | undefined)[]): typeof changes => (pageConfig.Trash ? changes : [])

interface Offer {
  /** Called once the undo has ended. */
  after?: () => void
  /** Other actions on the notice. */
  others?: readonly NoticeAction[]
}

/**
 * Announces an operation and offers to undo it.
 * @param changes the ids of the changes that it was recorded as; without any, nothing is offered
 */
export function offerUndo(
  text: string,
  changes: readonly (string | undefined)[],
  { after, others = [] }: Offer = {},
): void {
  const ids = changes.filter(id => id !== undefined)
  if (ids.length === 0) return void notify('success', text, ...others)
  const run = () => undoAll(ids).then(after)
  notify('success', text, { label: t('undo.undo'), run: () => void run(), undoes: ids }, ...others)
}

/** Undoes the changes of an operation, the last one first. Never rejects. */
export const undoAll = (ids: readonly string[]): Promise<void> =>
  withPart(async part => {
    for (const id of ids.toReversed()) await part.undoChange(id, 'notice')
  })

/** Asks whether a change is to be undone. Never rejects. */
export const askToUndo = (id: string): Promise<void> => withPart(part => part.undoChange(id, 'question'))

/** Undoes the newest change of this session. Never rejects. */
export const undoLast = (): Promise<void> => inOrder(part => part.undoNewest())

/** Does again what was undone last. Never rejects. */
export const redoLast = (): Promise<void> => inOrder(part => part.redoNewest())

type Act = (part: typeof UndoChange) => Promise<void>

let begun: Promise<unknown> = Promise.resolve()

/** Begins in the order of the calls, and once the operations that are under way have ended. */
function inOrder(act: Act): Promise<void> {
  const part = begun.then(afterThoseUnderWay).then(loadPart)
  begun = part
  return part.then(loaded => loaded && act(loaded))
}

async function withPart(act: Act): Promise<void> {
  const part = await loadPart()
  if (part) await act(part)
}

async function loadPart(): Promise<typeof UndoChange | undefined> {
  const part = await loadHistory(() => import('../changes/undo-change.ts')).catch(() => undefined)
  if (!part) notify('error', t('errors.chunk'))
  return part
}
