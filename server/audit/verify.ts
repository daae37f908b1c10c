import { atOneMoment } from '../db/lock.ts'
import type { Db } from '../db/schema.ts'
import { readChain, rowsAfter } from './audit.store.ts'
import { type Flaw, flawOf, type Link } from './chain.ts'

/** What the chain tells of itself. */
export interface Verdict {
  /** Rows that hang on one another as they were written. */
  sound: number
  /** The last of them, or what the first should have hung on. */
  head: Link
  /** Whether the row that was asked for is what it was. True without one, and for one that was pruned since. */
  seen: boolean
  /** What is wrong behind it. */
  broken?: { id: number; flaw: Flaw }
}

/**
 * Looks at every row. It reads one state of the database, which a server may go on writing to.
 * @param known a row that must be there, as `id:hash`: whoever can write the database can make all hashes anew
 */
export async function verifyAudit(db: Db, known?: string): Promise<Verdict> {
  return atOneMoment(db).execute(async transaction => {
    const { anchor_id, anchor_hash, head_id, head_hash } = await readChain(transaction)
    let head: Link = { id: anchor_id, hash: anchor_hash }
    let sound = 0
    let seen = known === undefined || Number.parseInt(known, 10) < anchor_id || isLink(head, known)
    const verdict = (broken?: Verdict['broken']): Verdict => ({ sound, head, seen, ...(broken ? { broken } : {}) })
    for (let rows = await rowsAfter(transaction, 0); rows.length > 0; rows = await rowsAfter(transaction, head.id)) {
      for (const row of rows) {
        const flaw = flawOf(head, row)
        if (flaw) return verdict({ id: head.id + 1, flaw })
        head = { id: row.id, hash: row.hash }
        sound += 1
        seen ||= isLink(head, known)
      }
    }
    // Rows that were cut off at the end are missed by the note of the newest one.
    if (head.id < head_id) return verdict({ id: head.id + 1, flaw: 'missing' })
    return verdict(head.hash === head_hash ? undefined : { id: head.id, flaw: 'changed' })
  })
}

const isLink = ({ id, hash }: Link, known: string | undefined): boolean => known === `${id}:${hash}`
