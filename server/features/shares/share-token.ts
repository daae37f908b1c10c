import { createHash, timingSafeEqual } from 'node:crypto'
import { issueTicket, verifyTicket } from '../auth/ticket.ts'
import type { StoredShare } from './shares.store.ts'

/** A ticket for a client that gave the right password: it opens this link with this password, and nothing else. */
export const issueShareTicket = (key: Uint8Array, share: StoredShare): Promise<string> =>
  issueTicket({ key, use: 'share', subject: share.hash }, { pw: passwordVersion(share) })

/** Whether a ticket is valid for this link and its current password, and not expired. */
export async function isTicketFor(key: Uint8Array, share: StoredShare, ticket: string): Promise<boolean> {
  const claims = await verifyTicket({ key, use: 'share', subject: share.hash }, ticket)
  return claims?.pw === passwordVersion(share)
}

/** The hash of an imported link's token, as it is stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Whether this is the token in the URLs of an imported link; it lasts as long as the link. */
export const isTokenOf = (share: StoredShare, token: string): boolean =>
  share.tokenHash !== '' && timingSafeEqual(Buffer.from(tokenHash(token)), Buffer.from(share.tokenHash))

const passwordVersion = ({ passwordHash }: StoredShare) =>
  createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16)
