import { expect, test, vi } from 'vitest'
import { LOCALES } from '../../../shared/locales.ts'
import { openMails } from '../../../test/mail/mails.ts'
import type { JobsTable } from '../../db/schema.ts'
import { endJob, insertJob } from '../../jobs/jobs.store.ts'
import { LIMITS } from '../../limits.ts'
import { BLANK_USER } from '../users/users.store.ts'
import { changeAddress } from './addresses.store.ts'
import { languageOf, loadTexts } from './texts.ts'

const MINUTE = 60_000

/** Jobs of a user with an address. */
async function user() {
  const { db, sink, log, cluster, mails, pass, user } = await openMails()
  const { id } = user
  let count = 0
  return {
    ...{ db, sink, log, cluster, id, pass },
    /** Lets a job end that has an item for each state. @returns its id */
    async end(
      states: readonly ('done' | 'failed')[],
      { minutes = 0, ...more }: Partial<JobsTable> & { minutes?: number } = {},
    ) {
      count += 1
      const job: JobsTable = {
        ...{ id: `job-${count}`, kind: 'copy', user_id: id, session_id: 's', scope: BLANK_USER.scope, payload: '{}' },
        ...{ state: 'running', code: null, stop: 0, created_at: 0, run_at: 0, started_at: Date.now(), ended_at: null },
        ...{ owner: 'me', heartbeat: 0, progress: '{}', origin: '{}' },
      }
      const items = states.map((state, position) => ({
        ...{ job_id: job.id, position, source: `/from/${position}.txt`, target: `/to here/${position}.txt` },
        ...{ conflict: null, state, code: null, journal: null },
      }))
      await insertJob(db, job, items)
      vi.setSystemTime(Date.now() + minutes * MINUTE)
      const end = { state: 'done', ended_at: Date.now(), ...more } as const
      await endJob(db, { id: job.id, owner: 'me' }, end, [mails.jobEnded])
      return job.id
    },
    waiting: async () =>
      await db.selectFrom('mails').select(['kind', 'about']).where('state', '=', 'waiting').execute(),
  }
}

test('a job with failures makes a mail with the names that failed, after a while in which its user may see it', async () => {
  const { sink, log, end, pass } = await user()
  await end(['done', 'failed', 'done', 'failed'])
  expect(sink.mails).toEqual([])
  pass(LIMITS.jobMailTime)
  await expect.poll(() => sink.to('ann@example.org')).toHaveLength(1)
  const [mail] = sink.mails
  expect(mail?.headers.subject).toBe('A job on Filigree has failures: 1.txt')
  expect(mail?.text).toContain('Items: 4. Failed: 2.\n\n- /from/1.txt\n- /from/3.txt\n\n')
  expect(mail?.text).toContain('https://files.example.org/files/to%20here')
  expect(mail?.headers).toMatchObject({
    'list-unsubscribe': expect.stringMatching(/^<https:\/\/files\.example\.org\/api\/mail-off\?ticket=[\w.-]+>$/),
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
  expect(log.error).not.toHaveBeenCalled()
})

test('a job without failures makes a mail only when it took longer than five minutes', async () => {
  const { sink, end, pass, waiting } = await user()
  await end(['done'], { minutes: 4 })
  expect(await waiting()).toEqual([])
  const long = await end(['done'], { minutes: 6 })
  expect(await waiting()).toEqual([{ kind: 'job.done', about: long }])
  pass(LIMITS.jobMailTime)
  await expect.poll(() => sink.mails).toHaveLength(1)
  expect(sink.mails[0]?.headers.subject).toBe('A job on Filigree has finished: 0.txt')
  expect(sink.mails[0]?.text).toContain('Minutes: 6. Items: 1.')
})

test('a job that its user cancelled makes no mail, and one that was ended for other reasons does', async () => {
  const { end, waiting } = await user()
  await end(['done'], { state: 'cancelled', minutes: 9 })
  expect(await waiting()).toEqual([])
  const ended = await end(['done'], { state: 'cancelled', code: 'unauthorized' })
  expect(await waiting()).toEqual([{ kind: 'job.failed', about: ended }])
})

test('a job whose end its user sees makes no mail, and neither does one that was deleted', async () => {
  const { db, sink, cluster, end, pass, waiting } = await user()
  const seen = await end(['failed'])
  cluster.publish('job.seen', { id: seen })
  await expect.poll(waiting).toEqual([])
  await db
    .deleteFrom('jobs')
    .where('id', '=', await end(['failed']))
    .execute()
  pass(LIMITS.jobMailTime)
  await expect.poll(waiting).toEqual([])
  expect(sink.mails).toEqual([])
})

test('each kind of mail about jobs is switched off on its own', async () => {
  const { db, id, end, waiting } = await user()
  await changeAddress(db, id, { notices_off: 'job.done share.uploaded' })
  await end(['done'], { minutes: 6 })
  expect(await waiting()).toEqual([])
  await changeAddress(db, id, { notices_off: 'job.failed' })
  await end(['failed'])
  expect(await waiting()).toEqual([])
  await end(['done'], { minutes: 6 })
  expect(await waiting()).toMatchObject([{ kind: 'job.done' }])
})

test('MAIL-06 fifteen jobs with failures make no more mails than an hour allows', async () => {
  const { end, waiting } = await user()
  for (let count = 0; count < 15; count += 1) await end(['failed'])
  expect(await waiting()).toHaveLength(LIMITS.jobMails)
})

test.each(LOCALES.map(({ code }) => code))('no text of mails is empty or left in braces in %s', async code => {
  const [texts, english] = [await loadTexts(languageOf(code)), await loadTexts(languageOf('en'))]
  expect(Object.keys(texts)).toEqual(Object.keys(english))
  const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([name]) => name).sort()
  for (const [key, text] of Object.entries(english)) {
    const own = texts[key as keyof typeof texts]
    expect(own.trim(), key).not.toBe('')
    expect(new Set(namesIn(own)), key).toEqual(new Set(namesIn(text)))
  }
})
