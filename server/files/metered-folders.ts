import type { FilePath } from '../../shared/path.ts'
import { NOTHING } from '../lib/amount.ts'
import { KeyedLock } from '../lib/limit.ts'
import type { MeteredPlaces } from './metered-places.ts'
import type { Metering } from './metering.ts'

const ONE = { bytes: 0, items: 1 }

/** Two writers that make the same folder would both count it. */
const making = new KeyedLock()

/**
 * Runs what makes the missing folders on the way to a path, and counts those that it made. Another server that makes
 * the same folders at that moment counts them, too: the next count of the home corrects that.
 * @throws quota_exceeded
 */
export async function makingFolders<T>(
  { places, metering }: { places: MeteredPlaces; metering: Metering },
  path: FilePath,
  act: () => Promise<T>,
): Promise<T> {
  const [outermost] = metering.isOn ? await places.missingAbove(path) : []
  if (outermost === undefined) return act()
  return making.run(await places.placeOf(outermost), async () => {
    const missing = await places.missingAbove(path)
    const over = await Promise.all(missing.map(async folder => ({ folder, meters: await places.over(folder) })))
    const reservation = metering.begin()
    try {
      for (const { meters } of over) await reservation.take(meters, ONE)
      return await act()
    } finally {
      for (const { folder, meters } of over) reservation.add(meters, (await places.standing(folder)) ? ONE : NOTHING)
      await reservation.end()
    }
  })
}
