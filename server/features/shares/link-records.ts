import type { Updateable } from 'kysely'
import { isExpired } from '../../../shared/expiry.ts'
import type { SharesTable } from '../../db/links-schema.ts'
import { toStored } from '../../db/paths.ts'
import { removedMark } from '../../db/removed-links.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Recording } from '../../files/change-records.ts'
import type { LinkRecords, LinksOf, LinkUser } from '../../files/link-records.ts'
import { type LinkStep, linkStep } from '../../files/recorder.ts'
import { readAccessSettings } from '../settings/settings.store.ts'
import { demandPolicy } from './link-policy.ts'
import { linkId } from './link-rights.ts'
import {
  type ChangedSettings,
  changedSettings,
  formerSettings,
  isChangedSince,
  isWider,
  type LinkSettings,
  settingsOf,
} from './link-settings.ts'
import { forgetRemovedNamed } from './removed.store.ts'
import { findShare, isNameTaken, type StoredShare } from './shares.store.ts'

/** The share links that changes name. */
export const linkRecords =
  (db: Db): LinksOf =>
  user => ({ ...serving(db, user), ...settable(db, user) })

const serving = (db: Db, user: LinkUser): Pick<LinkRecords, 'find' | 'bringBack' | 'remove'> => ({
  async find(id, place) {
    const removed = await ofUser(db, user)
      .select('identity')
      .where('suspended', '=', removedMark(id))
      .executeTakeFirst()
    if (removed) return { identity: removed.identity, isRemoved: true }
    const there = await servingAt(db, user, { id, place: toStored(place) })
    return there && { identity: there.identity, isRemoved: false }
  },
  async bringBack(id) {
    const removed = db.updateTable('shares').set({ suspended: null }).where('suspended', '=', removedMark(id))
    return (await removed.executeTakeFirst()).numUpdatedRows > 0n
  },
  async remove(id, place) {
    const there = await servingAt(db, user, { id, place: toStored(place) })
    if (!there) return false
    const link = db
      .updateTable('shares')
      .set({ suspended: removedMark(id) })
      .where('hash', '=', there.hash)
    return (await link.where('suspended', 'is', null).executeTakeFirst()).numUpdatedRows > 0n
  },
})

const settable = (db: Db, user: LinkUser): Pick<LinkRecords, 'obstacle' | 'setBack'> => {
  const linkAt = async (id: string, place: string) => {
    const there = await servingAt(db, user, { id, place: toStored(place) })
    const share = there && (await findShare(db, there.hash))
    return share && !isExpired(share.expire, seconds()) ? share : undefined
  }
  return {
    async obstacle(id, place, change) {
      const share = await linkAt(id, place)
      const changed: ChangedSettings = JSON.parse(change)
      const former = formerSettings(changed)
      if (!share || isOver(former) || (former.slug && (await isOfAnother(db, share, former.slug)))) return 'gone'
      if (!(await isAllowed(db, former))) return 'forbidden'
      const now = settingsOf(share)
      if (isWider(now, former)) return 'reopens'
      return isChangedSince(now, changed) ? 'changed_since' : undefined
    },
    async setBack(id, place, change) {
      const share = await linkAt(id, place)
      if (!share) return undefined
      const former = formerSettings(JSON.parse(change))
      if (former.slug) await forgetRemovedNamed(db, String(former.slug))
      const now = settingsOf(share)
      const did = JSON.stringify(changedSettings(now, { ...now, ...former }))
      if (did === '{}') return did
      const link = db
        .updateTable('shares')
        .set(former as Updateable<SharesTable>)
        .where('hash', '=', share.hash)
      const set = link.where('suspended', 'is', null).executeTakeFirst()
      const { numUpdatedRows } = await set.catch(async (thrown: unknown) => {
        throw (await isOfAnother(db, share, former.slug ?? '')) ? new AppError('exists') : thrown
      })
      return numUpdatedRows > 0n ? did : undefined
    },
  }
}

/** Whether a link that ends then has ended. */
const isOver = ({ expire }: Partial<LinkSettings>) => expire !== undefined && isExpired(Number(expire), seconds())

/** Whether another link has this name, and keeps it: one that was removed does not. */
async function isOfAnother(db: Db, { hash }: StoredShare, slug: LinkSettings['slug']): Promise<boolean> {
  const named = db.selectFrom('shares').select('hash').where('slug', '=', String(slug))
  const removed = await named.where('suspended', 'like', `${removedMark('')}%`).executeTakeFirst()
  return removed === undefined && isNameTaken(db, String(slug), hash)
}

/** Whether administrators allow links with these settings now. */
async function isAllowed(db: Db, { expire, password_hash, slug }: Partial<LinkSettings>): Promise<boolean> {
  try {
    demandPolicy((await readAccessSettings(db)).links, {
      ...(password_hash !== undefined && { isLocked: password_hash !== '' }),
      ...(expire !== undefined && { lifetime: expire === 0 ? 0 : Number(expire) - seconds() }),
      isNamed: Boolean(slug),
    })
    return true
  } catch {
    return false
  }
}

const ofUser = (db: Db, { id, isAdmin }: LinkUser) => {
  const links = db.selectFrom('shares')
  return isAdmin ? links : links.where('user_id', '=', id)
}

async function servingAt(db: Db, user: LinkUser, { id, place }: { id: string; place: string }) {
  const there = ofUser(db, user).select(['hash', 'identity']).where('canonical', '=', place)
  const rows = await there.where('suspended', 'is', null).execute()
  return rows.find(row => linkId(row) === id)
}

const seconds = () => Math.floor(Date.now() / 1000)

/** The kinds of changes of one link. */
const KINDS = { made: 'link', changed: 'relink', removed: 'unlink' } as const

/** Notes in the change of a request what its user did to a link. */
export function recordLink(
  user: { id: number; username: string; recording?: Recording | undefined },
  link: Pick<StoredShare, 'hash' | 'canonical' | 'kind' | 'identity'>,
  did: Pick<LinkStep, 'did' | 'settings'>,
): void {
  const { recording, id, username } = user
  if (!recording) return
  recording.owner ??= { id, username }
  recording.kind ??= KINDS[did.did]
  const { canonical: place, kind, identity } = link
  recording.add({ place, ...linkStep({ id: linkId(link), identity, isFolder: kind === 'folder', ...did }) })
}

/** Notes what a change of a link set; nothing where all of it was so before. */
export function recordChanged(user: Parameters<typeof recordLink>[0], before: StoredShare, after: StoredShare): void {
  const settings = JSON.stringify(changedSettings(settingsOf(before), settingsOf(after)))
  if (settings !== '{}') recordLink(user, after, { did: 'changed', settings })
}
