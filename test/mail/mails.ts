import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { openLocalCluster } from '../../server/cluster/local.ts'
import { openPostgresCluster } from '../../server/cluster/postgres.ts'
import { openDb } from '../../server/db/open.ts'
import { changeAddress } from '../../server/features/mail/addresses.store.ts'
import { Mails } from '../../server/features/mail/mails.ts'
import { Secrets } from '../../server/features/secrets/secrets.ts'
import { unknownPassword } from '../../server/features/users/password.ts'
import { addUser, BLANK_USER, type NewUser } from '../../server/features/users/users.store.ts'
import { dropOwnDatabase, ownDatabase } from '../api/harness.ts'
import { openSink } from './sink.ts'

/**
 * Mails on a database of their own, with a user who has an address, a mail server, and a clock that the test sets.
 * @param shared the address of a PostgreSQL database that other servers use as well
 */
export async function openMails(fields: Partial<NewUser> = {}, shared?: string) {
  const home = await mkdtemp(join(tmpdir(), 'mails-'))
  const database = shared ?? (await ownDatabase(home))
  const { db } = await openDb(database)
  const sink = await openSink()
  const user = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: unknownPassword(), ...fields })
  await changeAddress(db, user.id, { address: 'ann@example.org' })
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true })
  const cluster = shared === undefined ? openLocalCluster() : await openPostgresCluster(shared)
  const config = {
    mail: { host: '127.0.0.1', port: sink.port, secure: false, plain: true, user: '' },
    mailPassword: '',
    mailFrom: { name: '', address: 'files@example.org' },
    publicURL: 'https://files.example.org',
  }
  const log = { info: vi.fn(), error: vi.fn(), warn: vi.fn() }
  const mails = new Mails({ db, cluster, config, secrets: new Secrets(db), isOnlyServer: shared === undefined, log })
  await mails.start()
  onTestFinished(async () => {
    vi.useRealTimers()
    await mails.close()
    await cluster.close()
    await db.destroy()
    if (shared === undefined) await dropOwnDatabase(database)
    await sink.close()
    await rm(home, { recursive: true })
  })
  const pass = (milliseconds: number) => {
    vi.setSystemTime(Date.now() + milliseconds)
    cluster.publish('mail.waiting', {})
  }
  return { db, sink, user, log, cluster, mails, pass }
}
