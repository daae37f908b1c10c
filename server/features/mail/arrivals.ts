import { encodePath } from '../../../shared/path.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { fromStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { noticeAddress } from './addresses.store.ts'
import type { Content } from './compose.ts'
import type { NewMail } from './new-mail.ts'

/** Names in a mail; beyond, it has their number only. */
const LISTED = 20

export interface ArrivalDeps {
  db: Db
  cluster: Pick<Cluster, 'lock'>
  mails: { isOn: boolean; add(mail: NewMail): Promise<boolean> }
  now(): number
}

/**
 * Has the owner of a file request notified of a file that arrived. The mail waits a little, and longer after another one about
 * the same request: it is about all that has arrived until it is sent.
 * @param since arrivals from here on are new if no mail was sent about the request
 */
export async function noteArrival(
  { db, cluster, mails, now }: ArrivalDeps,
  link: string,
  since: number,
): Promise<void> {
  if (!mails.isOn) return
  await cluster.lock(`mail:${link}`, async () => {
    const about = db.selectFrom('mails').selectAll().where('kind', '=', 'share.uploaded').where('about', '=', link)
    const last = await about.orderBy('created_at', 'desc').limit(1).executeTakeFirst()
    if (last?.state === 'waiting') return
    const share = await db.selectFrom('shares').select('user_id').where('hash', '=', link).executeTakeFirst()
    if (!share) return
    if ((await noticeAddress(db, share.user_id, 'share.uploaded')) === undefined) return
    const from: number = last ? (JSON.parse(last.data).until ?? since) : since
    const at = Math.max(now() + LIMITS.firstDigestTime, Number(last?.ended_at ?? 0) + LIMITS.digestTime)
    await mails.add({ kind: 'share.uploaded', userId: share.user_id, about: link, data: { from }, at })
  })
}

/** What the mail about a file request says; `undefined` when nothing is new or the request is gone. */
export async function arrivalContent(
  { db, publicURL }: { db: Db; publicURL: string },
  link: string,
  { from, until }: { from: number; until: number },
): Promise<Content | undefined> {
  const share = await db.selectFrom('shares').select(['path', 'label']).where('hash', '=', link).executeTakeFirst()
  const arrived = db
    .selectFrom('deliveries')
    .where('link', '=', link)
    .where('arrived_at', '>', from)
    .where('arrived_at', '<=', until)
  const { count } = await arrived.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  if (!share || Number(count) === 0) return undefined
  const rows = await arrived.select(['path', 'sender']).orderBy('arrived_at').orderBy('id').limit(LISTED).execute()
  const path = fromStored(share.path)
  const name = path.split('/').findLast(part => part !== '') ?? '/'
  const list = rows.map(row => `${fromStored(row.path)}${row.sender === '' ? '' : ` (${row.sender})`}`)
  return {
    subject: 'uploadedSubject',
    before: ['uploadedText'],
    list: Number(count) > LISTED ? [...list, '…'] : list,
    link: { text: 'uploadedButton', url: `${publicURL}/files${encodePath(path)}` },
    after: ['uploadedOff'],
    values: { title: share.label || name, count: String(count) },
  }
}

/** Whether something arrived by a link after a time. */
export async function hasArrived(db: Db, link: string, after: number): Promise<boolean> {
  const newer = db.selectFrom('deliveries').select('id').where('link', '=', link).where('arrived_at', '>', after)
  return (await newer.limit(1).executeTakeFirst()) !== undefined
}
