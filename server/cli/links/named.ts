import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { findShare, type StoredShare } from '../../features/shares/shares.store.ts'
import { printable } from '../print.ts'

/** The links that arguments name by their hash. @throws AppError `not_found`, before anything changes */
export async function demandLinks(db: Db, hashes: readonly string[]): Promise<StoredShare[]> {
  const links: StoredShare[] = []
  for (const hash of hashes) {
    const link = await findShare(db, hash)
    if (!link) throw new AppError('not_found', `There is no link ${printable(hash)}. List them with: filigree links ls`)
    links.push(link)
  }
  return links
}
