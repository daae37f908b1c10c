import { inSnapshot } from '../db/lock.ts'
import type { Db } from '../db/schema.ts'
import { readChain, rowsAfter } from './audit.store.ts'
import { type ChainError, chainErrorOf, type Link } from './chain.ts'

/** The result of verifying the chain. */
export interface VerifyResult {
  /** Rows verified. */
  sound: number
  /** The last verified row, or the expected start of the chain. */
  head: Link
  /** Whether the row in `known` is unchanged. True without one, and for one that has since been pruned. */
  seen: boolean
  /** What is wrong after `last`. */
  broken?: { id: number; flaw: ChainError }
}

/**
 * Verifies every row, within one snapshot of the database; a server may keep writing to it.
 * @param known a row that must exist, as `id:hash`: an attacker with write access to the database can recompute all
 *   hashes
 */
export async function verifyAudit(db: Db, known?: string): Promise<VerifyResult> {
  return inSnapshot(db).execute(async transaction => {
    const { anchor_id, anchor_hash, head_id, head_hash } = await readChain(transaction)
    let head: Link = { id: anchor_id, hash: anchor_hash }
    let sound = 0
    let seen = known === undefined || Number.parseInt(known, 10) < anchor_id || isLink(head, known)
    const verdict = (broken?: VerifyResult['broken']): VerifyResult => ({
      sound,
      head,
      seen,
      ...(broken ? { broken } : {}),
    })
    for (let rows = await rowsAfter(transaction, 0); rows.length > 0; rows = await rowsAfter(transaction, head.id)) {
      for (const row of rows) {
        const flaw = chainErrorOf(head, row)
        if (flaw) return verdict({ id: head.id + 1, flaw })
        head = { id: row.id, hash: row.hash }
        sound += 1
        seen ||= isLink(head, known)
      }
    }
    // Rows cut off at the end are detected by the stored id of the newest one.
    if (head.id < head_id) return verdict({ id: head.id + 1, flaw: 'missing' })
    return verdict(head.hash === head_hash ? undefined : { id: head.id, flaw: 'changed' })
  })
}

const isLink = ({ id, hash }: Link, known: string | undefined): boolean => known === `${id}:${hash}`
