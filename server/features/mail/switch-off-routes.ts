import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { queryOf, type Route } from '../../routing/route.ts'
import type { Mails } from './mails.ts'
import { switchOff } from './switch-off.ts'

export interface SwitchOffDeps {
  db: Db
  config: { baseURL: string }
  mails: Pick<Mails, 'isOn'>
}

const PATH = '/api/mail-off'
const query = { ticket: { text: 'From the header `List-Unsubscribe` of a mail.', required: true } } as const

/**
 * One click in a mail program switches mails of a kind off (http-api 38). Programs that check links only read, so `GET` does
 * nothing.
 */
export const switchOffRoutes = ({ db, config: { baseURL }, mails }: SwitchOffDeps): Route[] => [
  {
    method: 'POST',
    path: PATH,
    access: 'public',
    records: 'nothing',
    describes: {
      summary: 'Switch mails of a kind off, by the ticket in one of them',
      query,
      answers: { 204: { text: 'Its receiver gets no more mails of this kind.' } },
      refuses: [404],
    },
    async handler(request, reply) {
      const isDone = mails.isOn && (await switchOff(db, queryOf(request, 'ticket') ?? ''))
      if (!isDone) throw new AppError('not_found')
      return reply.code(204).send()
    },
  },
  {
    method: 'GET',
    path: PATH,
    access: 'public',
    describes: {
      summary: 'Lead a browser to the profile, where mails are switched off',
      query,
      answers: { 302: { text: 'The profile.', headers: { Location: 'Where to go.' } } },
    },
    handler: async (_request, reply) => reply.redirect(`${baseURL}/settings/profile`, 302),
  },
]
