import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { halves } from '../../server/features/previews/test-pictures.ts'
import type { FolderResource } from '../../shared/api/resources.ts'
import { type Answer, call, person } from './client.ts'
import { type Corner, corner, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { linkTo, load, viewShare } from './links-client.ts'
import { tusOf } from './tus.ts'
import { unpack } from './unpack.ts'

const wire = await openInstance()
const admin = await person(wire)
const jobs = jobsOf(wire, admin)
const tus = tusOf(wire, admin)

/** Saves of each of the two writers; a reader reads until both are done, and no more often than one writes. */
const SAVES = 100
/** Rounds of readers that start programs or wait for jobs. */
const SLOW_ROUNDS = 10
const SLOW: ReadonlySet<string> = new Set(['zip', 'tar', 'copy', 'job'])
/** Of different sizes, with the same pixels. */
const CONTENTS = [800, 802].map(width => halves(width, 400).png().toBuffer())

let place: Corner
const hot = () => `${place.path}/sub/hot.png`
const copyTo = (name: string) =>
  call(wire, `/api/resources${place.path}/sub?action=copy&destination=${encodeURIComponent(`${place.path}/${name}`)}`, {
    method: 'PATCH',
    token: admin.token,
  })
const holdsIt = ({ status, text }: Answer) =>
  status === 200 && (JSON.parse(text) as FolderResource).items.some(({ name }) => name === 'hot.png')

/** Readers of the file while it is saved; each returns `ok`, or how it failed. */
const READERS: Record<string, (round: number) => Promise<string>> = {
  raw: async () => statusOf(await admin.raw(hot())),
  stat: async () => statusOf(await admin.get(hot())),
  listing: async () => (holdsIt(await admin.get(`${place.path}/sub`)) ? 'ok' : 'not listed'),
  checksum: async () => statusOf(await admin.get(hot(), '?checksum=md5')),
  preview: async () => statusOf(await call(wire, `/api/preview/thumb${hot()}`, { token: admin.token })),
  zip: async () => inArchive(await admin.raw(`${place.path}/sub`), '.zip'),
  tar: async () => inArchive(await admin.raw(`${place.path}/sub`, '?algo=tar'), '.tar'),
  copy: async round => copied(statusOf(await copyTo(`copy${round}`)), `copy${round}`),
  async job(round) {
    const to = `job${round}`
    const job = await jobs.run({ kind: 'copy', items: [{ from: `${place.path}/sub`, to: `${place.path}/${to}` }] })
    return copied(job.state === 'done' && job.count.failed === 0 ? 'ok' : JSON.stringify(job.items), to)
  },
  async tus() {
    const content = await CONTENTS[0]
    const created = await tus.create(hot(), content?.length, { query: '?override=true' })
    if (created.status !== 201) return `${created.status} ${created.text}`
    const patched = await tus.patch(hot(), 0, content ?? Buffer.of())
    return patched.status === 204 ? 'ok' : `${patched.status} ${patched.text}`
  },
  async share() {
    const { hash } = await linkTo(wire, admin.token, hot())
    return statusOf(await viewShare(wire, hash))
  },
}

const statusOf = ({ status, text }: Answer) => (status === 200 ? 'ok' : `${status} ${text.slice(0, 80)}`)

async function inArchive(answer: Answer, extension: string): Promise<string> {
  if (answer.status !== 200) return statusOf(answer)
  const names = Object.keys(await unpack(answer.bytes, extension))
  return names.join() === 'hot.png' ? 'ok' : names.join()
}

async function copied(end: string, name: string): Promise<string> {
  if (end !== 'ok') return end
  return holdsIt(await admin.get(`${place.path}/${name}`)) ? 'ok' : 'not copied'
}

/** Runs writers to their end and readers concurrently; returns the failures and their counts. */
async function troubles(
  save: (round: number, writer: number) => Promise<string>,
  readers: typeof READERS,
): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  const note = (who: string, end: string) => {
    if (end !== 'ok') found[`${who}: ${end}`] = (found[`${who}: ${end}`] ?? 0) + 1
  }
  let writing = 2
  const write = async (writer: number) => {
    for (let round = 0; round < SAVES; round++) note('save', await save(round, writer).catch(String))
    writing -= 1
  }
  const read = async ([who, reader]: (typeof entries)[number]) => {
    const most = SLOW.has(who) ? SLOW_ROUNDS : SAVES
    for (let round = 0; writing > 0 && round < most; round++) note(who, await reader(round).catch(String))
  }
  const entries = Object.entries(readers)
  await Promise.all([write(0), write(1), ...entries.map(read)])
  return found
}

beforeEach(async () => {
  place = await corner(wire)
  await admin.put(hot(), await CONTENTS[0])
})

describe('a file that two clients save continuously', () => {
  const save = async (round: number) =>
    statusOf(
      await call(wire, `/api/resources${hot()}`, {
        method: 'PUT',
        token: admin.token,
        body: (await CONTENTS[round % 2]) ?? '',
      }),
    )

  test('is available to every reader, copy, archive, upload and link', async () => {
    expect(await troubles(save, READERS)).toEqual({})
  })

  test('keeps its link', async () => {
    const { hash } = await linkTo(wire, admin.token, hot())
    const opening = {
      viewShare: async () => statusOf(await viewShare(wire, hash)),
      load: async () => statusOf(await load(wire, hash)),
    }
    expect(await troubles(save, opening)).toEqual({})
    expect((await viewShare(wire, hash)).status).toBe(200)
  })
})

describe('a file that other programs replace by a rename continuously', () => {
  const save = async (round: number, writer: number) => {
    const at = join(place.disk, `new${writer}`)
    await writeFile(at, (await CONTENTS[round % 2]) ?? '')
    await rename(at, join(place.disk, 'sub/hot.png'))
    await new Promise(resolve => setTimeout(resolve, 5))
    return 'ok'
  }

  test('is available to every reader, copy, archive, upload and link', async () => {
    expect(await troubles(save, READERS)).toEqual({})
  })
})
