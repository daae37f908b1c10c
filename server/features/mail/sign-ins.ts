import { deviceName } from '../../../shared/device-name.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { type Device, listSessions } from '../auth/sessions.store.ts'
import { countMiss } from '../users/password-throttle.store.ts'
import { digest, networkOf } from '../users/password-throttle.ts'
import { findUser } from '../users/users.store.ts'
import { addressOf } from './addresses.store.ts'
import type { ArrivalDeps } from './arrivals.ts'
import type { Content } from './compose.ts'
import type { Kind } from './new-mail.ts'

const HOUR = 3_600_000
/** The most characters of a client in a mail. */
const LONGEST_NAME = 64

/** A sign-in from elsewhere than before; `at` in milliseconds since the epoch. */
export interface NewDevice {
  userId: number
  username: string
  /** Browser and system. */
  agent: string
  address: string
  at: number
}

/** Writes what webhooks receive of it, in the transaction that remembers the place. @returns what to do after it */
export type DeliverDevice = (transaction: Db, device: NewDevice) => Promise<(() => void) | undefined>

export interface SignInDeps extends ArrivalDeps {
  /** Absent where the host permits no webhooks. */
  deliver?: DeliverDevice | undefined
}

/**
 * Remembers what a user signs in from, before the session begins. Where it is new, the user gets a mail and webhooks
 * their event; not for the first sign-in of an account. After a kill in between, there are two mails, but never none.
 */
export async function noteSignIn(deps: SignInDeps, userId: number, device: Device): Promise<void> {
  const { db, mails, now, deliver } = deps
  if (!mails.isOn && !deliver) return
  const at = now()
  const place = placeOf(device)
  const known = await knownPlaces(db, userId, at)
  const row = { user_id: userId, place, seen_at: at }
  if (known.size === 0 || known.has(place)) return remember(db, row)
  const agent = deviceName(device.agent).slice(0, LONGEST_NAME)
  if (mails.isOn) await writeMail(deps, userId, { at, device: agent, address: device.address })
  const after = await db.transaction().execute(async transaction => {
    await remember(transaction, row)
    const user = deliver && (await findUser(transaction, userId))
    return user && deliver(transaction, { userId, username: user.username, agent, address: device.address, at })
  })
  after?.()
}

async function writeMail({ db, mails }: ArrivalDeps, userId: number, data: Kind['login.newDevice']): Promise<void> {
  if ((await addressOf(db, userId)).address === '') return
  const { failures } = await countMiss(db, digest('mail', 'sign-in', String(userId)), data.at, data.at + HOUR)
  if (failures <= LIMITS.signInMails) await mails.add({ kind: 'login.newDevice', userId, data })
}

/**
 * What an account was used from: its sign-ins of a while, and its sessions, which may have begun before these were
 * kept, and may have moved. A place of long ago is not known, but is no first sign-in either: it is kept under `''`.
 */
async function knownPlaces(db: Db, userId: number, at: number): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('sign_in_places').selectAll().where('user_id', '=', userId).execute()
  const sessions = await listSessions(db, userId, at)
  const since = at - LIMITS.signInPlaceTime
  return new Set([
    ...rows.map(({ place, seen_at }) => (Number(seen_at) > since ? place : '')),
    ...sessions.filter(({ address }) => address !== '').map(placeOf),
  ])
}

/** The last place stays, however old it becomes: the account is not new again. */
async function remember(db: Db, row: { user_id: number; place: string; seen_at: number }): Promise<void> {
  const { user_id, seen_at } = row
  await db
    .insertInto('sign_in_places')
    .values(row)
    .onConflict(conflict => conflict.columns(['user_id', 'place']).doUpdateSet({ seen_at }))
    .execute()
  const ended = db.deleteFrom('sign_in_places').where('user_id', '=', user_id)
  await ended.where('seen_at', '<=', seen_at - LIMITS.signInPlaceTime).execute()
}

/** A browser and system in a network of the size that one provider gives to one place, as a digest. */
function placeOf({ agent, address }: Device): string {
  const network = networkOf(address)
  const parts = network.split(network.includes(':') ? ':' : '.')
  return digest('place', deviceName(agent), parts.slice(0, 3).join('.'))
}

/** @param tag the language of the mail, for its time */
export function signInContent({ at, device, address }: Kind['login.newDevice'], user: string, tag: string): Content {
  const form = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const list = [`${form.format(at)} UTC`, device, address].filter(line => line !== '')
  return { subject: 'signInSubject', before: ['signInText'], list, after: ['signInNot'], values: { user } }
}
