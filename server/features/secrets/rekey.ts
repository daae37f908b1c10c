import type { Db } from '../../db/schema.ts'
import { lockSealed, replaceSealed, SEALED_KINDS, type SealedKind, sealedRows } from './sealed-rows.store.ts'
import { Secrets, type SecretsConfig } from './secrets.ts'

/** Numbers of secrets of a kind. */
export interface Rekeyed {
  kind: SealedKind
  sealed: number
  /** No key opens them; they stay as they are. */
  unreadable: number
}

/**
 * Seals all secrets with the present key, also those that are stored as they are. Servers may run.
 * @param transaction in which `lockForChanges` was called
 */
export async function rekey(transaction: Db, config: SecretsConfig): Promise<Rekeyed[]> {
  await lockSealed(transaction)
  const secrets = new Secrets(transaction, config)
  const done: Rekeyed[] = []
  for (const kind of SEALED_KINDS) {
    const count = { kind, sealed: 0, unreadable: 0 }
    for await (const stored of sealedRows(transaction, kind)) {
      const text = await secrets.tryOpen(stored.text, stored.row)
      if (text === undefined) count.unreadable += 1
      else {
        await replaceSealed(transaction, stored, await secrets.seal(text, stored.row))
        count.sealed += 1
      }
    }
    done.push(count)
  }
  return done
}
