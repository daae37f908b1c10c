import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import { membership } from './networks.ts'

/** Where a server listens, and whether this start was told to let everybody in. */
interface Opening {
  noauth: boolean
  socket: string
  address: string
}

const isLoopback = membership(['127.0.0.0/8', '::1'])

/**
 * A server that asks nobody for a password listens beyond its own machine only if this start says `--noauth` too: what a
 * database brings along, nobody may remember.
 * @throws AppError `bad_request` with a sentence for the console
 */
export async function demandMeantOpening(db: Db, { noauth, socket, address }: Opening): Promise<void> {
  if (noauth || socket !== '' || address === 'localhost' || isLoopback(address)) return
  if ((await readAuthSettings(db)).method !== 'noauth') return
  throw new AppError(
    'bad_request',
    `Everybody who reaches ${address} would be let in without a password. If that is meant, start with --noauth; if not: filigree config set --auth.method json`,
  )
}
