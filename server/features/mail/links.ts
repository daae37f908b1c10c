import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { digestOf, type FlowDeps, findFlow, insertFlow, takeFlow } from '../auth/flows.store.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'

/** What a link in a mail is for. */
export type LinkPurpose = 'reset' | 'verify' | 'invitation'

interface LinkData {
  purpose: LinkPurpose
  userId: number
  username: string
  /** Where it was sent. */
  address: string
  /** Digest of the password hash: another password ends links that set one. */
  password: string
}

/** The account for which a link was sent. */
export interface OpenLink {
  purpose: LinkPurpose
  user: StoredUser
  address: string
}

const LIFETIMES: Readonly<Record<LinkPurpose, number>> = {
  reset: LIMITS.resetTime,
  verify: LIMITS.verifyTime,
  invitation: LIMITS.invitationTime,
}

/** @returns the secret of a new link, of which the database has a digest; it counts once */
export async function issueLink(
  deps: FlowDeps,
  purpose: LinkPurpose,
  user: StoredUser,
  address: string,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const { id: userId, username, passwordHash } = user
  const data: LinkData = { purpose, userId, username, address, password: digestOf(passwordHash) }
  await insertFlow(deps, secret, { kind: 'link', provider: '', cookie: '', data }, LIFETIMES[purpose])
  return secret
}

/** @returns `undefined` for a link that is used, too old, or of an account that has changed or was closed since */
export async function findLink(deps: FlowDeps, secret: string): Promise<OpenLink | undefined> {
  return openLink(deps.db, await findFlow<LinkData>(deps, 'link', secret))
}

/** The same, and the link is used from now on. */
export async function takeLink(deps: FlowDeps, secret: string): Promise<OpenLink | undefined> {
  return openLink(deps.db, (await takeFlow<LinkData>(deps, 'link', secret))?.data)
}

async function openLink(db: Db, data: LinkData | undefined): Promise<OpenLink | undefined> {
  const user = data && (await findUser(db, data.userId))
  if (!user || user.isDisabled || user.username !== data.username) return undefined
  if (data.purpose !== 'verify' && digestOf(user.passwordHash) !== data.password) return undefined
  return { purpose: data.purpose, user, address: data.address }
}
