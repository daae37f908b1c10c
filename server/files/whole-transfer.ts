import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { GiveWayOptions } from './in-place-of.ts'
import type { GivesWay, Journal, TransferNote, TransferRequest } from './transfer.ts'

/** A copy or a move for protocols that merge nothing: what stands at the goal gives way as a whole. */
export interface WholeRequest
  extends Pick<TransferRequest, 'byName' | 'failed' | 'journal' | 'kept' | 'progress' | 'signal'>,
    Pick<GiveWayOptions, 'trash'> {
  /** Whether an item at the goal gives way; otherwise it is `exists`. */
  replaces: boolean
}

/** What such a transfer is made of. */
interface Parts {
  store: Pick<StorageDriver, 'stat'>
  transfer(from: FilePath, to: FilePath, how: TransferRequest): Promise<FilePath | undefined>
  inPlaceOf<T>(path: FilePath, how: GiveWayOptions, act: (over?: GivesWay) => Promise<T>): Promise<T>
}

/**
 * Transfers a file or a tree. A folder takes the place of another one as late as it can; a file replaces a file as a save
 * does. With a journal, what an earlier attempt has put at the goal does not give way.
 * @returns the path @throws exists, and see `Transfers`
 */
export async function transferWhole(
  { store, transfer, inPlaceOf }: Parts,
  from: FilePath,
  to: FilePath,
  { replaces, trash, ...more }: WholeRequest,
): Promise<FilePath | undefined> {
  const [source, standing] = [await store.stat(from), await store.stat(to)]
  const how = { ...more, override: false, rename: false }
  if (!standing || !givesWay(standing, how.journal?.noted)) return transfer(from, to, how)
  if (!replaces) throw new AppError('exists')
  if ([source, standing].every(entry => entry?.kind === 'file')) return transfer(from, to, { ...how, override: true })
  const late = [source, standing].every(entry => entry?.kind === 'folder' && !entry.isLink)
  const journal = how.journal && noting(how.journal, standing)
  return inPlaceOf(to, { ...(trash && { trash }), late }, over =>
    transfer(from, to, { ...how, ...(journal && { journal }), ...(over && { over }) }),
  )
}

/** Whether an item at the goal was there before the first attempt. */
const givesWay = ({ identity }: Entry, noted: TransferNote | undefined) => !noted || noted.way === identity

/** Also records which item gives way. */
const noting = ({ noted, note }: Journal, { identity: way }: Entry): Journal => ({
  noted,
  note: now => note({ ...now, way }),
})
