import { ShareInvitations } from '../../../shared/api/mail.ts'
import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { mailAddress } from '../../lib/mail-address.ts'
import { callerOf, parameterOf, type Route, remark } from '../../routing/route.ts'
import { demandRate } from '../users/hourly-rate.ts'
import { INVITE_RATES } from './invitations.ts'
import type { Mails } from './mails.ts'

/** A link, as far as a mail with it needs. */
interface OwnLink {
  hash: string
  userId: number
  /** In the served root. */
  place: FilePath
  /** Null while it is open. */
  pausedAt: number | null
}

export interface ShareMailDeps {
  db: Db
  mails: Pick<Mails, 'isOn' | 'add'>
  shares: { demandSharer(user: User): Promise<void>; owned(user: User, hash: string): Promise<OwnLink> }
}

/** Sends a link to typed addresses, as its owner wants it (http-api 47). */
export const shareMailRoute = ({ db, mails, shares }: ShareMailDeps): Route => ({
  method: 'POST',
  path: '/api/links/:hash/invitations',
  access: 'user',
  token: 'none',
  records: 'share.invite',
  schema: ShareInvitations,
  describes: {
    summary: 'Send a link by mail, with a few words',
    path: 'The name of the link.',
    answers: { 202: { text: 'The mails wait to be sent, one for each address.' } },
    refuses: [400, 403, 404, 429, 503],
  },
  async handler(request, reply) {
    if (!mails.isOn) throw new AppError('not_found')
    const { user } = callerOf(request)
    await shares.demandSharer(user)
    const share = await shares.owned(user, parameterOf(request, 'hash'))
    // The mail names its sender: an administrator must not send it in the name of the owner.
    if (share.userId !== user.id) throw new AppError('forbidden')
    if (share.pausedAt !== null) throw new AppError('bad_request', 'the link is paused')
    const { addresses, text } = request.body as ShareInvitations
    const receivers = new Set(addresses.map(demandAddress))
    for (const address of receivers) {
      await demandRate(db, ['mail', 'share', String(user.id)], INVITE_RATES.account)
      await demandRate(db, ['mail', 'to', address.toLowerCase()], INVITE_RATES.address)
    }
    for (const address of receivers) {
      const added = await mails.add({
        kind: 'share.invite',
        userId: user.id,
        address,
        about: share.hash,
        data: { text },
      })
      if (!added) throw new AppError('unavailable', 'too many mails wait')
    }
    remark(request, { path: share.place, target: [...receivers].join(' ') })
    return reply.code(202).send()
  },
})

/** @throws AppError `bad_request` */
function demandAddress(text: string): string {
  const address = mailAddress(text)
  if (!address) throw new AppError('bad_request', 'addresses: one is no mail address')
  return address
}
