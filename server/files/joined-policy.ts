import { type FilePath, isWithin } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import { AppError } from '../errors.ts'
import type { Policy } from './policy.ts'
import { isFixed, outerOf, type PlaceList, type Spot, spotOf } from './shared-places.ts'

/** What changes the name of an entry, or takes it away, or gives it to others. */
const FIXED: ReadonlySet<Effect> = new Set(['remove', 'rename', 'share'])

/** One policy for a user's own scope and the places in it. Rules of the user are asked with the visible path as well. */
export function joinedPolicy(own: Policy, all: PlaceList): Policy {
  const ruling = own.elsewhere ?? own
  const may: Policy['may'] = (effect, path) => {
    const spot = spotOf(all, path)
    if (spot.kind === 'own') return own.may(effect, path)
    if (spot.kind === 'hall') return effect === 'list' || (spot.isTop && effect === 'create' && own.may(effect, path))
    if (FIXED.has(effect) && isFixed(spot, path) && !isSharedOn(spot, effect)) return false
    return spot.place.policy.may(effect, spot.inner)
  }
  const carried = () =>
    joinedPolicy(
      own.carrying(),
      withPolicies(all, policy => policy.carrying()),
    )
  const restricts = own.restricts || all.places.some(({ policy }) => policy.restricts)
  const policy: Policy = {
    may,
    demand(effect, path) {
      if (spotOf(all, path).kind === 'own') own.demand(effect, path)
      else if (!may(effect, path)) throw new AppError('forbidden')
    },
    sees(path) {
      const spot = spotOf(all, path)
      if (!(spot.kind === 'own' ? own : ruling).sees(path)) return false
      return spot.kind !== 'place' || spot.place.policy.sees(spot.inner)
    },
    carrying: () => (restricts ? carried() : policy),
    deniedPlaces: () => deniedIn(own, all),
    restricts,
    ...(all.at !== undefined && { sharedFolder: all.at }),
    crosses(from, to) {
      const [one, other] = [spotOf(all, from), spotOf(all, to)]
      return one.kind !== other.kind || (one.kind === 'place' && other.kind === 'place' && one.place !== other.place)
    },
  }
  return policy
}

/** What others share is shared on as a whole, too; a mount is not. */
const isSharedOn = (spot: Spot, effect: Effect) =>
  effect === 'share' && spot.kind === 'place' && spot.place.root === undefined

const withPolicies = ({ at, places }: PlaceList, change: (policy: Policy) => Policy): PlaceList => ({
  at,
  places: places.map(place => ({ ...place, policy: change(place.policy) })),
})

/** Denied paths as the user sees them; `undefined` when not all can be said. */
function deniedIn(own: Policy, { places }: PlaceList): FilePath[] | undefined {
  const denied = own.deniedPlaces()
  if (!denied) return undefined
  const all = [...denied]
  for (const place of places) {
    if (!place.policy.restricts) continue
    const inner = place.policy.deniedPlaces()
    if (!inner) return undefined
    all.push(...inner.filter(path => isWithin(path, place.top)).map(path => outerOf(place, path)))
  }
  return all
}
