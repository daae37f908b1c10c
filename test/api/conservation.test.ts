import { expect, test } from 'vitest'
import type { Job } from '../../shared/api/jobs.ts'
import { json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { type Actor, randomFrom, someOperations, type World } from './random-operations.ts'
import { reachable } from './reachable.ts'

/** `FILIGREE_CONSERVATION=500 npm test -- test/api/conservation.test.ts` does more; `…_SEED=7` chooses others. */
const OPERATIONS = Number(process.env.FILIGREE_CONSERVATION ?? 60)
const SEED = Number(process.env.FILIGREE_CONSERVATION_SEED ?? 1)

// Thousands of operations write more versions of one file than are kept of it.
const wire = await openInstance({ args: ['--trash=on', '--versionsOfFile=100000'] })

test(
  'HIST-01 after random operations of three users every content is there, but those deleted for good',
  async () => {
    const { path } = await corner(wire)
    const names = ['keeper-one', 'keeper-two', 'keeper-three']
    await enrol(
      wire,
      names.map(name => ({ name, may: EVERYTHING, scope: path })),
    )
    const people: Actor[] = await Promise.all(
      names.map(async name => ({ wire, ...(await person(wire, name, PASSWORD)) })),
    )
    const world: World = { random: randomFrom(SEED), purged: new Set(), written: new Set() }
    const log: string[] = []
    for (let count = 0; count < OPERATIONS; count += 1) {
      const some = someOperations(world, people)
      log.push(some.map(({ name }) => name).join('+'))
      await Promise.all(some.map(({ run }) => run()))
    }
    for (const who of people) {
      const jobs: Job[] = json(await jobsOf(wire, who).list())
      await Promise.all(jobs.map(({ id }) => jobsOf(wire, who).ended(id)))
    }
    const there = await reachable(wire, people[0] as Actor)
    const lost = [...world.written].filter(content => !there.has(content) && !world.purged.has(content))
    expect(lost, `seed ${SEED}: ${log.join(' ')}`).toEqual([])
    expect(world.written.size).toBeGreaterThan(0)
  },
  180_000 + OPERATIONS * 500,
)
