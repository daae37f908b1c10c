import { expect, test } from 'vitest'
import { openMails } from '../../../test/mail/mails.ts'
import { toStored } from '../../db/paths.ts'
import { LIMITS } from '../../limits.ts'
import { Deliveries } from '../shares/deliveries.ts'
import { changeAddress } from './addresses.store.ts'

const LINK = 'a-link'

/** A file request of a user with an address, and a clock. */
async function request() {
  const { db, sink, user, log, mails, pass } = await openMails()
  const target = { place: '/in', canonical: '/in', identity: '1', kind: 'folder', leaving: 0 } as const
  const opened = { expire: 0, password_hash: '', token_hash: '', created_at: 0, suspended: null }
  const share = {
    hash: LINK,
    user_id: user.id,
    path: toStored('/in box/'),
    purpose: 'drop',
    ...target,
    ...opened,
  } as const
  await db.insertInto('shares').values(share).execute()
  const deliveries = new Deliveries(db, (link, at) => mails.arrived(link, at))
  return {
    ...{ db, user, sink, log, pass },
    async arrive(name: string, sender = '') {
      const about = { link: LINK, sender, note: '', given: name, bytes: 1, address: '' }
      await deliveries.arrived(await deliveries.hold(about), { name })
    },
  }
}

test('MAIL-06 100 files that arrive by a link are one mail, and what arrives later is the next one', async () => {
  const { db, sink, arrive, pass, log } = await request()
  await arrive('first.txt', '<b>Eve')
  pass(1)
  for (let count = 1; count < 100; count += 1) await arrive(`${count}.txt`)
  expect(sink.mails).toEqual([])
  pass(LIMITS.firstDigestTime)
  await expect.poll(() => sink.to('ann@example.org')).toHaveLength(1)
  const [first] = sink.mails
  expect(first?.headers.subject).toBe('New files: in box')
  expect(first?.text).toContain('in box: 100')
  expect(first?.text).toMatch(/- first\.txt \(<b>Eve\)\n(- \d+\.txt\n){19}- …\n/)
  expect(first?.html).toContain('&#60;b&#62;Eve')
  expect(first?.text).toContain('https://files.example.org/files/in%20box/')

  await expect.poll(() => db.selectFrom('mails').select('state').execute()).toEqual([{ state: 'sent' }])
  await arrive('later.txt')
  pass(LIMITS.digestTime - 60_000)
  await arrive('latest.txt')
  expect(sink.mails).toHaveLength(1)
  pass(60_000)
  await expect.poll(() => sink.mails).toHaveLength(2)
  expect(sink.mails[1]?.text).toContain('in box: 2\n\n- later.txt\n- latest.txt\n')
  expect(log.error).not.toHaveBeenCalled()
})

test('MAIL-01 names of files with line breaks and headers, or of 10 kB, are one mail to one receiver', async () => {
  const { sink, arrive, pass } = await request()
  const hostile = 'a\r\nBcc: eve@example.org\r\n\r\n.\r\nMAIL FROM:<eve@example.org>, <eve@example.org>'
  await arrive(hostile, hostile)
  await arrive('n'.repeat(10_000))
  pass(LIMITS.firstDigestTime)
  await expect.poll(() => sink.mails).toHaveLength(1)
  const [mail] = sink.mails
  expect(mail?.to).toEqual(['ann@example.org'])
  expect(mail?.headers).not.toHaveProperty('bcc')
  expect(mail?.text).toContain('in box: 2')
  pass(LIMITS.digestTime)
  expect(sink.to('eve@example.org')).toEqual([])
})

test('a user who wants no mails about files gets none', async () => {
  const { db, user, sink, arrive, pass } = await request()
  await changeAddress(db, user.id, { notices: 0 })
  await arrive('a.txt')
  pass(LIMITS.firstDigestTime)
  await changeAddress(db, user.id, { notices: 1 })
  await arrive('b.txt')
  pass(LIMITS.firstDigestTime)
  await expect.poll(() => sink.mails).toHaveLength(1)
  expect(sink.mails[0]?.text).toContain('in box: 1')
})
