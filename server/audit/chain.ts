import { createHash } from 'node:crypto'
import type { AuditTable } from '../db/schema.ts'

/** A row and its hash, from which the next row's hash is computed. */
export interface Link {
  id: number
  hash: string
}

/** The previous hash of the very first row. */
export const ORIGIN: Link = { id: 0, hash: '' }

/**
 * The hash of a row: SHA-256, base64url, over the JSON list of the previous hash and the row's fields as stored. A
 * change, removal or insertion breaks the chain at that row.
 */
export function hashOf(before: string, row: Omit<AuditTable, 'hash'>): string {
  const { id, at, user_id, username, action, outcome, way, address, path, target } = row
  const fields = [before, id, at, user_id, username, action, outcome, way, address, path, target]
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
}

/** Why a row fails verification: it is not the next one, or its content was changed. */
export type ChainError = 'missing' | 'changed'

/** Checks a row against the one before it. */
export function chainErrorOf(before: Link, { hash, ...row }: AuditTable): ChainError | undefined {
  if (row.id !== before.id + 1) return 'missing'
  return hashOf(before.hash, row) === hash ? undefined : 'changed'
}
