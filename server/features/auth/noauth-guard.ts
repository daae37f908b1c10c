import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { membership } from '../../lib/networks.ts'
import { readAuthSettings } from '../settings/settings.store.ts'

/** The address a server listens on, and whether this start has `--noauth`. */
interface StartOptions {
  noauth: boolean
  socket: string
  address: string
}

const isLoopback = membership(['127.0.0.0/8', '::1'])

/**
 * A server without passwords listens beyond the loopback interface only if this start says `--noauth` too: an old
 * setting in the database may have been forgotten.
 * @throws AppError `bad_request` with a sentence for the console
 */
export async function demandNoauthFlag(db: Db, { noauth, socket, address }: StartOptions): Promise<void> {
  if (noauth || socket !== '' || address === 'localhost' || isLoopback(address)) return
  if ((await readAuthSettings(db)).method !== 'noauth') return
  throw new AppError(
    'bad_request',
    `Every client that reaches ${address} would be signed in without a password. To allow that, start with --noauth; otherwise run: filigree config set --auth.method json`,
  )
}
