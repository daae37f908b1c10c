import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import { unknownPassword } from '../users/password.ts'
import { addUser, BLANK_USER } from '../users/users.store.ts'
import { changeAddress } from './addresses.store.ts'
import { Mails } from './mails.ts'
import { quotaContent } from './quota-warnings.ts'

const LIMIT = 1_000_000

/** A user with an address and a quota. The mails wait: no worker runs. */
async function limited() {
  const home = await mkdtemp(join(tmpdir(), 'mails-'))
  const { db } = await openDb(join(home, 'f.db'))
  const cluster = openLocalCluster()
  const user = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: unknownPassword() })
  let used = 0
  await changeAddress(db, user.id, { address: 'ann@example.org' })
  const config = {
    mail: { host: '127.0.0.1', port: 9, secure: false, plain: true, user: '' },
    mailPassword: '',
    mailFrom: { name: '', address: 'files@example.org' },
    publicURL: 'https://files.example.org',
  }
  const log = { error: vi.fn(), warn: vi.fn() }
  const fills = async () => [{ id: user.id, used, limit: LIMIT }]
  const mails = new Mails({ db, cluster, config, isOnlyServer: true, log, fills })
  onTestFinished(async () => {
    await mails.close()
    await cluster.close()
    await db.destroy()
    await rm(home, { recursive: true })
  })
  return {
    ...{ db, user },
    /** @returns the thresholds of all mails so far */
    async holds(bytes: number) {
      used = bytes
      await mails.warnOfQuotas()
      expect(log.error.mock.calls).toEqual([])
      const rows = await db.selectFrom('mails').select('data').where('kind', '=', 'quota.warning').execute()
      return rows.map(({ data }) => JSON.parse(data).percent as number).sort((a, b) => a - b)
    },
  }
}

test('a home that fills up is one mail at each of 80, 95 and 100 % of its quota', async () => {
  const { holds } = await limited()
  expect(await holds(799_999)).toEqual([])
  expect(await holds(800_000)).toEqual([80])
  expect(await holds(900_000)).toEqual([80])
  expect(await holds(700_000)).toEqual([80])
  expect(await holds(999_999)).toEqual([80, 95])
  expect(await holds(LIMIT)).toEqual([80, 95, 100])
  expect(await holds(LIMIT)).toEqual([80, 95, 100])
})

test('a user who wants no mails about files gets none about a quota', async () => {
  const { db, user, holds } = await limited()
  await changeAddress(db, user.id, { notices: 0 })
  expect(await holds(LIMIT)).toEqual([])
})

test('the mail has its numbers in its language', () => {
  const { values } = quotaContent({ percent: 80, used: 1.625 * 2 ** 30, limit: 2 * 2 ** 30 }, 'ann', 'de')
  expect(values).toMatchObject({ percent: '81\u00a0%', used: '1,6\u00a0GiB', limit: '2\u00a0GiB' })
})
