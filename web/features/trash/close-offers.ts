import { dismissNotice, openOffers } from '../../lib/notices.ts'
import { previewUndo } from '../files/api/changes.ts'
import { hopelessReason, leftOf } from '../files/changes/choose-change.ts'

/** Closes the notices whose changes can no longer be undone, since their items left the trash. Never rejects. */
export async function closeVainOffers(): Promise<void> {
  for (const { id, undoes } of openOffers()) {
    const states = await Promise.all(undoes.map(isHopeless))
    if (states.every(Boolean)) dismissNotice(id)
  }
}

const isHopeless = (change: string): Promise<boolean> =>
  previewUndo(change).then(
    answer => hopelessReason(leftOf(answer)) !== undefined,
    () => false,
  )
