import type { FilePath } from '../../shared/path.ts'
import { asAppError } from '../errors.ts'
import { type Amount, amountOfFile, minus, NOTHING, plus, positive } from '../lib/amount.ts'
import type { MoveOptions, StorageDriver } from '../storage/driver.ts'
import type { MeteredPlaces } from './metered-places.ts'
import type { Meter, Metering, Reservation } from './metering.ts'

/** Attempts when another writer replaces the file that gives way at that moment. */
const ATTEMPTS = 5

interface Tools {
  places: MeteredPlaces
  metering: Metering
}

type Move = NonNullable<StorageDriver['move']>

/**
 * A move in which quotas count: within the same meters nothing changes, others lose and gain what moves. A file that
 * gives way does not count any more.
 */
export function meteredMove({ places, metering }: Tools, move: Move): Move {
  return async (from, to, how = {}) => {
    if (!metering.isOn) return move(from, to, how)
    const [above, below] = [await places.over(from), await places.over(to)]
    const [out, into] = [without(above, below), without(below, above)]
    const place = await places.placeOf(from)
    const changed = how.over ? [...out, ...below] : [...out, ...into]
    if (changed.length === 0) return move(from, to, how).finally(() => metering.left(place))
    const reservation = metering.begin()
    const isTree = (await places.standing(from))?.kind === 'folder'
    try {
      await reservation.take(changed, NOTHING)
      const amount = await places.measure(from)
      const replaced = how.over
        ? await movedOver(places, to, how, { amount, into, reservation, move: over => move(from, to, over) })
        : await reservation.take(into, amount).then(() => move(from, to, how))
      reservation.add(out, minus(NOTHING, amount))
      reservation.add(into, amount)
      reservation.add(below, minus(NOTHING, replaced ?? NOTHING))
    } finally {
      metering.left(place)
      await reservation.end({ tree: isTree })
    }
  }
}

const without = (meters: readonly Meter[], others: readonly Meter[]): Meter[] =>
  meters.filter(({ id }) => !others.some(other => other.id === id))

/** Moves over exactly the file whose size is subtracted. @returns what it took */
async function movedOver(
  places: MeteredPlaces,
  to: FilePath,
  how: MoveOptions,
  about: {
    amount: Amount
    into: readonly Meter[]
    reservation: Reservation
    move(how: MoveOptions): Promise<void>
  },
): Promise<Amount> {
  const { amount, into, reservation, move } = about
  let reserved = NOTHING
  for (let attempt = 1; ; attempt += 1) {
    const standing = await places.standing(to)
    const replaced = standing?.kind === 'file' ? amountOfFile(standing.size) : NOTHING
    const lacks = positive(minus(minus(amount, replaced), reserved))
    await reservation.take(into, lacks)
    reserved = plus(reserved, lacks)
    const { over, ...plain } = how
    try {
      await move(standing ? { ...plain, over: { ifMatch: standing.version, ...over } } : plain)
      return replaced
    } catch (thrown) {
      const { code } = asAppError(thrown)
      const isOther = over?.ifMatch === undefined && (code === 'precondition_failed' || code === 'exists')
      const isSame = (await places.standing(to))?.version === standing?.version
      if (!isOther || isSame || attempt === ATTEMPTS) throw thrown
    }
  }
}
