/** The permissions, in the wire's order (http-api 15.3). */
export const PERMISSIONS = ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'] as const

export type Permission = (typeof PERMISSIONS)[number]
export type Permissions = Record<Permission, boolean>

export const NO_PERMISSIONS: Permissions = Object.freeze({
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
})

export const ALL_PERMISSIONS: Permissions = Object.freeze({
  admin: true,
  execute: true,
  create: true,
  rename: true,
  modify: true,
  delete: true,
  share: true,
  download: true,
})

/**
 * The effect of an operation on stored files. Checks are per effect, not per route: a new route cannot omit one,
 * because it cannot access bytes without naming the effect.
 */
export type Effect = 'list' | 'read' | 'create' | 'replace' | 'remove' | 'rename' | 'share'

const NEEDED: Record<Effect, readonly Permission[]> = {
  list: [],
  read: ['download'],
  create: ['create'],
  replace: ['modify'],
  remove: ['delete'],
  rename: ['rename'],
  share: ['share', 'download'],
}

export const EFFECTS = Object.keys(NEEDED) as readonly Effect[]

/** Whether these permissions allow an effect. Used by the server to refuse and by the interface to hide. */
export function allows(perm: Permissions, effect: Effect): boolean {
  return missingFor(perm, effect).length === 0
}

/** The permissions that an effect requires. */
export const neededFor = (effect: Effect): readonly Permission[] => NEEDED[effect]

/** The permissions that an effect requires and that are not among these. */
export function missingFor(perm: Permissions, effect: Effect): Permission[] {
  return NEEDED[effect].filter(name => !perm[name])
}

/** All that one or the other allows. */
export const unionOf = (one: Permissions, other: Permissions): Permissions =>
  Object.fromEntries(PERMISSIONS.map(name => [name, one[name] || other[name]])) as Permissions
