import { type FilePath, isWithin } from '../../shared/path.ts'
import type { Lock, NewLock } from './lock-records.ts'

/**
 * What a change does at a path: to the `content` or a property of a thing; to its `name`, which appears in a folder; to
 * the whole `tree`, whose name goes from a folder.
 */
export type Touch = 'content' | 'name' | 'tree'

/** A change of what is at a place of the served root, symbolic links resolved. */
export interface Touched {
  touch: Touch
  place: FilePath
  /** The folder in which a name appears or goes: the nearest one that exists. */
  folder: FilePath
}

/** What a request submits, and whose it is. */
export interface Holding {
  userId: number | undefined
  tokens: ReadonlySet<string>
}

/**
 * Whether a user may use a lock with its token: their own; and that of an office editor, which all users of a document share
 * and whose token no client ever gets.
 */
export const isUsable = ({ userId, via }: Pick<Lock, 'userId' | 'via'>, user: number | undefined): boolean =>
  via === 'wopi' || userId === user

/** The first of some locks that refuses a change (RFC 4918 7). */
export function refusing(locks: readonly Lock[], touched: Touched, { userId, tokens }: Holding): Lock | undefined {
  const concerned = locks.filter(lock => concerns(lock, touched))
  const isHeld = (lock: Lock) => isUsable(lock, userId) && tokens.has(lock.token)
  const held = concerned.filter(lock => lock.scope === 'shared' && isHeld(lock))
  const passes = (lock: Lock) =>
    isHeld(lock) || (lock.scope === 'shared' && held.some(own => covers(own, lock, touched)))
  return concerned.find(lock => !passes(lock))
}

/** Whether a change touches what a lock protects. */
function concerns({ place, deep }: Lock, { touch, place: changed, folder }: Touched): boolean {
  if (place === changed) return true
  if (isWithin(changed, place)) return deep || (touch !== 'content' && place === folder)
  return touch === 'tree' && isWithin(place, changed)
}

/** Whether the token of one shared lock is enough for another one. */
const covers = (own: Lock, { place }: Lock, { touch }: Touched) =>
  touch === 'content' || own.place === place || (own.deep && isWithin(place, own.place))

/** The first of some locks that a new one cannot be with. */
export function conflicting(
  locks: readonly Lock[],
  { place, deep, scope }: Pick<NewLock, 'place' | 'deep' | 'scope'>,
): Lock | undefined {
  const meets = (lock: Lock) =>
    lock.place === place || (isWithin(place, lock.place) ? lock.deep : deep && isWithin(lock.place, place))
  return locks.find(lock => meets(lock) && (scope === 'exclusive' || lock.scope === 'exclusive'))
}
