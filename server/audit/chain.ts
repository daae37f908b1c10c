import { createHash } from 'node:crypto'
import type { AuditTable } from '../db/schema.ts'

/** A row and its hash, as the next one hangs on it. */
export interface Link {
  id: number
  hash: string
}

/** What the first row of all hangs on. */
export const ORIGIN: Link = { id: 0, hash: '' }

/**
 * The hash of a row: SHA-256, base64url, over the JSON list of the hash before and the row's fields as they are stored.
 * Nothing can be changed, taken out or put in between without breaking it at that row.
 */
export function hashOf(before: string, row: Omit<AuditTable, 'hash'>): string {
  const { id, at, user_id, username, action, outcome, way, address, path, target } = row
  const fields = [before, id, at, user_id, username, action, outcome, way, address, path, target]
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
}

/** What is wrong with a row: it is not the next one, or not what was written. */
export type Flaw = 'missing' | 'changed'

/** Whether a row hangs on the one before. */
export function flawOf(before: Link, { hash, ...row }: AuditTable): Flaw | undefined {
  if (row.id !== before.id + 1) return 'missing'
  return hashOf(before.hash, row) === hash ? undefined : 'changed'
}
