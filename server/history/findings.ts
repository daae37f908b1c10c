import type { Finding } from '../../shared/api/diagnostics.ts'
import type { Db } from '../db/schema.ts'
import type { KeptThings } from '../storage/driver.ts'
import { readRetention } from './clock.ts'
import { listAreas, totalsIn } from './kept.store.ts'

const DAY = 86_400_000

/** What administrators should know about deleted items and versions. */
export async function historyFindings({ db, kept }: { db: Db; kept: KeptThings }): Promise<Finding[]> {
  const note = await readRetention(db)
  const [short, lost] = [await goneSince(db, 'need', DAY), await goneSince(db, 'lost', 7 * DAY)]
  const copies = await copiedVersions(db)
  return [
    ...(await unsafeAreas(kept)),
    ...(await awayAreas(db, kept)),
    ...(short > 0 ? [{ code: 'roomShort' as const, amount: short }] : []),
    ...(note?.jumpedAt === undefined
      ? []
      : [{ code: 'clockJumped' as const, lines: ['date', 'filigree history clock --confirm'] }]),
    ...(lost > 0 ? [{ code: 'keptLost' as const, amount: lost }] : []),
    ...(note && note.unknown > 0 ? [{ code: 'keptUnknown' as const, amount: note.unknown }] : []),
    ...(copies > 0 ? [{ code: 'linksMissing' as const, amount: copies }] : []),
  ]
}

async function unsafeAreas(kept: KeptThings): Promise<Finding[]> {
  const unsafe = (await kept.unsafe?.()) ?? []
  const uid = process.getuid?.() ?? 0
  return unsafe.map(what => ({ code: 'areaUnsafe', what, lines: [`chown ${uid} ${what}`, `chmod 700 ${what}`] }))
}

async function awayAreas(db: Db, kept: KeptThings): Promise<Finding[]> {
  const cans = (await kept.cans?.()) ?? []
  const findings: Finding[] = []
  for (const { id, home, area } of await listAreas(db)) {
    const there = await kept.area(home).catch(() => undefined)
    if (there?.area === area || cans.some(can => can.home === home && can.area === area)) continue
    const [trash, versions] = [await totalsIn(db, id, 'trash'), await totalsIn(db, id, 'version')]
    const amount = trash.count + versions.count
    if (amount > 0) findings.push({ code: 'areaAway', what: home, amount })
  }
  return findings
}

async function goneSince(db: Db, why: 'need' | 'lost', since: number): Promise<number> {
  const query = db.selectFrom('kept').select(({ fn }) => fn.countAll<number>().as('count'))
  const row = await query
    .where('gone_why', '=', why)
    .where('gone_at', '>', Date.now() - since)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Versions that are copies: their files could get no second name. */
async function copiedVersions(db: Db): Promise<number> {
  const query = db.selectFrom('kept').select(({ fn }) => fn.countAll<number>().as('count'))
  const row = await query
    .where('state', '=', 'kept')
    .where('kind', '=', 'version')
    .where('reason', '!=', 'outside')
    .whereRef('was', '!=', 'identity')
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
