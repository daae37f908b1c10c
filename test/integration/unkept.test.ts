import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChangeDetails } from '../../shared/api/changes.ts'
import type { JobRequest } from '../../shared/api/jobs.ts'
import { call, json, type Person, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { corner, serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { keepNothing } from '../api/keep-nothing.ts'

const server = await serve()
const owner = await person(server)

const save = (path: string, body: string) =>
  call(server, `/api/resources${path}`, { method: 'PUT', token: owner.token, body })

async function unkeepingCorner() {
  const made = await corner(server)
  await writeFile(join(made.disk, 'a.txt'), 'one')
  await save(`${made.path}/a.txt`, 'two')
  await keepNothing(server, made)
  return made
}

const stepsOf = async (on: OwnServer, { token }: Person, change: string | null | undefined) =>
  (json(await call(on, `/api/changes/${change}`, { token })) as ChangeDetails).steps

test('an extraction and an archive say that the content which they replaced could not be kept, and so does their change', async () => {
  const { disk, path } = await unkeepingCorner()
  const jobs = jobsOf(server, owner)
  await mkdir(join(disk, 'in'))
  await writeFile(join(disk, 'in/a.txt'), 'archived')
  const archive = { to: `${path}/b.zip`, format: 'zip' }
  const items = [{ from: `${path}/in/a.txt` }]
  const packed: Partial<JobRequest> = { kind: 'archive', items, archive, conflict: 'replace' }
  const first = await jobs.run(packed)
  expect([first.unkept, first.items?.[0]?.kept]).toEqual([undefined, undefined])
  const again = await jobs.run(packed)
  expect(again).toMatchObject({ unkept: 1, items: [{ state: 'done', kept: 'no' }] })
  const zip = { from: `${path}/b.zip`, to: path }
  const extracted = await jobs.run({ kind: 'extract', items: [zip], conflict: 'replace' })
  expect(extracted).toMatchObject({ unkept: 1, items: [{ state: 'done', kept: 'no' }] })
  const [step] = await stepsOf(server, owner, extracted.change)
  expect(step).toMatchObject({ kind: 'replace', path: `${path}/a.txt` })
  expect(step).not.toHaveProperty('kept')
})

test('a job of which every content was kept does not say so', async () => {
  const { disk, path } = await corner(server)
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(disk, name), name)
  const items = [{ from: `${path}/a.txt`, to: `${path}/b.txt` }]
  const job = await jobsOf(server, owner).run({ kind: 'copy', items, conflict: 'replace' })
  expect(job.items?.[0]).toMatchObject({ state: 'done', kept: expect.stringMatching(/^[0-9a-z]{26}$/) })
  expect(job).not.toHaveProperty('unkept')
})
