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
  return inPlaceOf(to, { ...(trash && { trash }), late }, over =>
    transfer(from, to, { ...how, ...(over && { over }), ...(how.journal && noting(how.journal, standing, over)) }),
  )
}

/** Whether an item at the goal was there before the first attempt. */
const givesWay = ({ identity }: Entry, noted: TransferNote | undefined) => !noted || noted.way === identity

/** Also records which item gives way; one that has its identity by its name only until it has left. */
function noting(
  { noted, note }: Journal,
  { identity: way, isNameOnly }: Entry,
  over: GivesWay | undefined,
): Pick<TransferRequest, 'journal' | 'over'> {
  let last = noted
  const write = (now: TransferNote) => {
    const { way: _, ...rest } = now
    last = rest
    return note(isNameOnly && over?.isAway ? rest : { ...rest, way })
  }
  const journal = { noted, note: write }
  if (!over || !isNameOnly) return { journal }
  const leaving: GivesWay = {
    takenBy: instead => over.takenBy(instead),
    async now() {
      await over.now()
      if (last) await write(last)
    },
    get isAway() {
      return over.isAway
    },
    get exchanges() {
      return over.exchanges
    },
  }
  return { journal, over: leaving }
}
