import { createHash } from 'node:crypto'
import { EDIT_RIGHTS, type EditRight } from '../../../shared/api/shares.ts'
import type { User } from '../../../shared/api/users.ts'
import type { StoredShare } from './shares.store.ts'

/** Hexadecimal digits of a link's id in the log. */
const ID_DIGITS = 12

/** What the log calls a link to edit: its hash would open it. */
export const linkId = ({ hash }: Pick<StoredShare, 'hash'>): string =>
  `link:${createHash('sha256').update(hash).digest('hex').slice(0, ID_DIGITS)}`

/** The most characters of a link's hash that other programs learn, and the share of it: imported ones are short. */
const SHOWN = { most: 6, share: 1 / 3 }

/** The beginning of a link's hash, which opens nothing. */
export const shortLink = (hash: string): string => hash.slice(0, Math.min(SHOWN.most, hash.length * SHOWN.share))

/** What visitors of a link to edit may do: what it gives, as far as its owner may. */
export const rightsNow = ({ rights }: Pick<StoredShare, 'rights'>, { perm }: Pick<User, 'perm'>): EditRight[] =>
  EDIT_RIGHTS.filter(right => rights.includes(right) && perm[right])
