import type { WhyStep } from '../../shared/api/explain-access.ts'
import { type FilePath, ROOT } from '../../shared/path.ts'
import { missingFor, type Permission } from '../../shared/permissions.ts'
import type { Given, Reasons } from './explain-access.ts'
import { inherits } from './mount-place.ts'
import type { Actor, Policy } from './policy.ts'
import { type Place, type PlaceList, type PlaceOrigin, spotOf } from './shared-places.ts'

interface Around {
  /** The reasons for the user's own scope. */
  own: Reasons
  /** The policy of all paths of the user. */
  joint: Policy
  all: PlaceList
}

/** The reasons for a path of a user who has further places. */
export function reasonsIn(actor: Actor, { own, joint, all }: Around, path: FilePath): Reasons {
  const spot = spotOf(all, path)
  if (spot.kind === 'own') return own
  const place = spot.kind === 'place' ? spot.place : undefined
  const top = place?.visible ?? all.at ?? path
  const missing: Reasons['missing'] = effect => (place ? missingFor(place.perm, effect) : [])
  return {
    top,
    missing,
    sees: joint.sees,
    placed: effect => {
      // A missing permission has a step of its own.
      const ok = missing(effect).length > 0 || joint.may(effect, path)
      return { check: 'place', ok, place: placeOf(place, top), ...(!ok && { code: 'forbidden' }) }
    },
    ruled(visible) {
      const ruled = own.ruled(visible)
      return ruled.ok && !joint.sees(visible) ? { ok: false, by: 'owner' } : ruled
    },
    giversOf: permission => givenIn(place?.origin, actor, permission),
  }
}

/** The reasons for a path of a user without a home, where nothing is. */
export function reasonsWithoutHome(rules: Reasons, { may, sees }: Policy, path: FilePath): Reasons {
  const placed: Reasons['placed'] = effect => {
    const ok = may(effect, path)
    return { check: 'place', ok, ...(!ok && { code: 'no_home' }) }
  }
  return { ...rules, sees, ...(path !== ROOT && { placed }) }
}

function placeOf(place: Place | undefined, path: FilePath): NonNullable<WhyStep['place']> {
  const { origin } = place ?? {}
  if (origin?.kind === 'mount') return { kind: 'mount', path, ...(origin.isReadOnly && { readOnly: true }) }
  return { kind: 'shared', path, ...(origin?.owner !== undefined && { owner: origin.owner }) }
}

/** Who was given a mount with a permission; what is shared has its owner for that. */
function givenIn(origin: PlaceOrigin | undefined, { groups = [], perm }: Actor, permission: Permission): Given {
  const held = origin?.kind === 'mount' ? origin.given : []
  const isInherited = inherits(perm, permission) && held.some(({ rights }) => rights.includes('inherit'))
  const giving = held.filter(({ rights }) => (rights as readonly Permission[]).includes(permission))
  const ids = new Set(giving.flatMap(({ group }) => group ?? []))
  return {
    permission,
    own: giving.some(({ group }) => group === undefined),
    groups: groups.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name })),
    ...(isInherited && { inherited: true }),
  }
}
