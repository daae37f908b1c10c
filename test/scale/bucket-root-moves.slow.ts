import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MOUNT_RIGHTS, type Mount } from '../../shared/api/mounts.ts'
import { manager, send } from '../api/accounts.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { makeHome, type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { SEED, size } from '../faults/sizes.ts'
import { Dice } from '../fuzz/dice.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

const KILLS = size('BUCKET_ROOT_KILLS', 12)
const FILES = size('BUCKET_ROOT_FILES', 60)
/** Milliseconds after which a move is interrupted at the latest. */
const LATEST = size('BUCKET_ROOT_LATEST', 800)
const OLD = new Date('2020-02-02T02:02:02Z')
const LONG = 3_600_000

const contentOf = (number: number) => Buffer.alloc(20_000 + number * 331, number)
const nameOf = (number: number) => `${number % 7}/p${number}.bin`

describe.runIf(hasS3)('ROOT-04 a folder that goes to a bucket and back', () => {
  let server: OwnServer
  let owner: Person
  let home: string

  const start = async (known?: { root: string }) => {
    server = await startServer({ home, args: ['--config', join(home, 'roots.json')], ...known })
    owner = await person(server)
  }

  beforeAll(async () => {
    home = await makeHome()
    const { addressOf, credentials } = await sharedS3()
    const { accessKey: s3AccessKey, secretKey: s3SecretKey } = credentials
    const scans = { at: addressOf(uniqueName('moves')), s3AccessKey, s3SecretKey }
    await writeFile(join(home, 'roots.json'), JSON.stringify({ roots: { scans } }))
    await start()
    const admin = await manager(server)
    const made = await send(server, 'POST', '/api/mounts', admin.token, { name: 'Scans', root: 'scans' })
    const access = `/api/mounts/${(json(made) as Mount).id}/access/group/everyone`
    expect((await send(server, 'PUT', access, admin.token, { rights: MOUNT_RIGHTS })).status).toBe(204)
  }, 240_000)

  afterAll(() => server.stop())

  const plant = async (folder: string) => {
    for (let number = 0; number < FILES; number += 1) {
      const path = join(folder, nameOf(number))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, contentOf(number))
      await utimes(path, OLD, OLD)
    }
  }

  const begin = async (from: string, to: string): Promise<string> => {
    const answer = await call(server, '/api/jobs', {
      method: 'POST',
      token: owner.token,
      headers: { 'Content-Type': 'application/json', Prefer: 'wait=0' },
      body: JSON.stringify({ kind: 'move', items: [{ from, to }] }),
    })
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)])
    return json(answer).id
  }

  /** The numbers of the files below a folder, each as its content says. */
  const numbersIn = async (path: string): Promise<number[]> => {
    const found: number[] = []
    for (let number = 0; number < FILES; number += 1) {
      const { status, bytes } = await owner.raw(`${path}/${nameOf(number)}`)
      if (status === 404) continue
      expect([path, number, status, contentOf(number).equals(Buffer.from(bytes))]).toEqual([path, number, 200, true])
      found.push(number)
    }
    return found
  }

  test(
    `is whole through ${KILLS} kills: each file once, and gone only where its copy is`,
    async () => {
      const dice = new Dice(SEED)
      const top = uniqueName('round')
      const [disk, local, far] = [join(server.root, top), `/${top}`, `/Scans/${top}`]
      await plant(disk)
      const all = Array.from({ length: FILES }, (_, number) => number)
      let interrupted = 0
      for (let round = 0; round < KILLS; round += 1) {
        const [from, to] = round % 2 === 0 ? [local, far] : [far, local]
        const id = await begin(from, to)
        await new Promise(resolve => setTimeout(resolve, dice.roll() * LATEST))
        await server.end('SIGKILL')
        await start({ root: server.root })
        if (json(await jobsOf(server, owner).get(id)).ended === undefined) interrupted += 1
        const job = await jobsOf(server, owner).ended(id)
        expect([round, job.items?.map(({ state, code }) => [state, code])]).toEqual([round, [['done', undefined]]])
        expect([round, await numbersIn(to), await numbersIn(from)]).toEqual([round, all, []])
        if (to === far) {
          expect([round, existsSync(disk)]).toEqual([round, false])
          continue
        }
        for (const number of all) {
          expect((await readFile(join(disk, nameOf(number)))).equals(contentOf(number))).toBe(true)
          expect((await stat(join(disk, nameOf(number)))).mtime).toEqual(OLD)
        }
      }
      expect(interrupted).toBeGreaterThan(0)
      expect((await readdir(server.root)).filter(name => name.startsWith('.~'))).toEqual([])
    },
    LONG,
  )
})
