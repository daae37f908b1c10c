// npm run bench -- access: what it costs to know what a user may do. The user is in 20 groups with 25 rules each, and
// has 50 folders of another root. Once the access is known, a request compares the epoch of the user's row; after any
// change it is read again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalCluster } from '../server/cluster/local.ts'
import { openDb } from '../server/db/open.ts'
import { actingUser } from '../server/features/groups/acting-user.ts'
import { bumpAccess } from '../server/features/groups/epoch.store.ts'
import { addGroup, addMember } from '../server/features/groups/groups.ts'
import { giveMount, insertMount } from '../server/features/groups/mounts.store.ts'
import { addUser, BLANK_USER, findUser } from '../server/features/users/users.store.ts'
import { policyFor } from '../server/files/policy.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../shared/permissions.ts'
import { median, ROUNDS } from './measure.mjs'
import { report } from './searches.mjs'

const [GROUPS, RULES, MOUNTS] = [20, 25, 50]
/** Calls with a known access for each round, and readings. */
const [KNOWN, READ] = [100_000, 200]

const scratch = mkdtempSync(join(tmpdir(), 'filigree-access-'))
const { db } = await openDb(join(scratch, 'filigree.db'))
try {
  const { id } = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: '' })
  await fill(id)
  const [known, decided, read] = [[], [], []]
  for (let round = 0; round <= ROUNDS; round += 1) {
    const figures = [await whenKnown(id), await whenDeciding(id), await whenChanged(id)]
    // The first round warms up.
    if (round > 0) {
      known.push(figures[0])
      decided.push(figures[1])
      read.push(figures[2])
    }
  }
  const row = {
    groups: GROUPS,
    rules: GROUPS * RULES,
    mounts: MOUNTS,
    'known, µs': median(known),
    'decided, µs': median(decided),
    'read, ms': median(read),
  }
  report(
    'access',
    [row],
    'goal: at most 5 µs where it is known, 5 µs for one decision besides, 2 ms where it is read, of the processor',
  )
} finally {
  await db.destroy()
  rmSync(scratch, { recursive: true, force: true })
}

async function fill(userId) {
  const deps = { db, cluster: openLocalCluster() }
  for (let number = 0; number < GROUPS; number += 1) {
    const rules = Array.from({ length: RULES }, (_, rule) => ({
      ...{ regex: false, allow: rule % 2 === 0, path: `/folder ${number}/part ${rule}` },
      regexp: { raw: '' },
    }))
    const group = await addGroup(deps, { name: `Group ${number}`, description: '', perm: NO_PERMISSIONS, rules })
    await addMember(deps, group.id, userId)
  }
  for (let number = 0; number < MOUNTS; number += 1) {
    const mount = `m${number}`
    await insertMount(db, {
      id: mount,
      name: `Team ${number}`,
      root: 'more',
      folder: `/team ${number}`,
      readOnly: false,
      createdAt: 0,
    })
    await giveMount(
      db,
      { id: `a${number}`, mount, to: { kind: 'user', id: userId }, rights: ALL_PERMISSIONS, createdAt: 0 },
      0,
    )
  }
}

/** Microseconds of the processor for one call. */
async function whenKnown(userId) {
  const user = await findUser(db, userId)
  await actingUser(db, user)
  const began = process.cpuUsage()
  for (let call = 0; call < KNOWN; call += 1) await actingUser(db, user)
  return process.cpuUsage(began).user / KNOWN
}

/** Microseconds of the processor for one call that also decides about a path. */
async function whenDeciding(userId) {
  const user = await findUser(db, userId)
  const path = `/folder ${GROUPS - 1}/part ${RULES - 1}/a/b/c.txt`
  await actingUser(db, user)
  const began = process.cpuUsage()
  for (let call = 0; call < KNOWN; call += 1) policyFor(await actingUser(db, user), []).sees(path)
  return process.cpuUsage(began).user / KNOWN
}

/** Milliseconds of the processor for one reading. */
async function whenChanged(userId) {
  let used = 0
  for (let call = 0; call < READ; call += 1) {
    await bumpAccess(db, { users: [userId] })
    const user = await findUser(db, userId)
    const began = process.cpuUsage()
    await actingUser(db, user)
    const { user: own, system } = process.cpuUsage(began)
    used += own + system
  }
  return used / 1000 / READ
}
