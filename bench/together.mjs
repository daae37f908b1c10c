// npm run bench -- together [--small]: what working together costs. One server has a single user; another one has 1,000 users in
// 100 groups, 10 further roots, 100,000 share links and 10,000 items that users share with each other. In turns: listings, reads and visits of a
// link, of that single user, of a user of the full server who has nothing of it, and of one who is in 20 groups, with
// 10 mounts and 10 shared folders. Ratios of the processor time of a request.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalCluster } from '../server/cluster/local.ts'
import { openDb } from '../server/db/open.ts'
import { addGroup, addMember } from '../server/features/groups/groups.ts'
import { giveMount, insertMount } from '../server/features/groups/mounts.store.ts'
import { hashPassword } from '../server/features/users/password.ts'
import { addUser, BLANK_USER } from '../server/features/users/users.store.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../shared/permissions.ts'
import { median, newAgent, processorTime, ROUNDS, send } from './measure.mjs'
import { startFiligree } from './peers.mjs'
import { report } from './searches.mjs'

const small = process.argv.includes('--small')
const [USERS, GROUPS, ROOTS, LINKS, GRANTS] = small ? [100, 10, 10, 2000, 200] : [1000, 100, 10, 100_000, 10_000]
/** Of the user who has much: groups, and folders that others share. */
const [OWN_GROUPS, OWN_GRANTS] = [Math.min(20, GROUPS), 10]
const REQUESTS = small ? 100 : 400
/** Rows of one statement. */
const BATCH = 500
const PASSWORD = 'only for this measurement'

const scratch = mkdtempSync(join(tmpdir(), 'filigree-together-'))
const root = join(scratch, 'root')
const servers = []
try {
  const roots = makeFolders()
  const contenders = [await begin('alone', {}), ...(await beginFull(roots))]
  const rows = []
  for (const [work, path] of Object.entries({
    'a folder of 100 files': '/api/resources/docs/',
    'the top folder': '/api/resources/',
    'a small file': '/api/raw/docs/1.txt',
    'a visit of a link': undefined,
  }))
    rows.push(await measure(work, path, contenders))
  report('together', rows, 'goal: at most 1.1 of “alone” where the user has nothing of it')
} finally {
  for (const server of servers) await server.stop()
  rmSync(scratch, { recursive: true, force: true })
}

function makeFolders() {
  for (const home of ['ann', 'bob']) {
    mkdirSync(join(root, home, 'docs'), { recursive: true })
    for (let number = 0; number < 100; number += 1) writeFileSync(join(root, home, `docs/${number}.txt`), `${number}`)
  }
  for (let number = 0; number < OWN_GRANTS; number += 1)
    mkdirSync(join(root, 'others', `trip ${number}`), { recursive: true })
  return Array.from({ length: ROOTS }, (_, number) => {
    const folder = join(scratch, `disk${number}`)
    mkdirSync(folder)
    return `r${number}=${folder}`
  })
}

/** Starts a server with the users of these names. @returns a contender for each of several names, or the only one */
async function begin(folder, secrets, prepare = async () => {}, names = ['ann']) {
  const place = join(scratch, folder)
  mkdirSync(place)
  const { db } = await openDb(join(place, 'bench.db'))
  const passwordHash = await hashPassword(PASSWORD)
  const ids = {}
  for (const name of names)
    ids[name] = (
      await addUser(db, { ...BLANK_USER, username: name, passwordHash, scope: `/${name}`, perm: userPermissions() })
    ).id
  await addUser(db, { ...BLANK_USER, username: 'admin', passwordHash, perm: ALL_PERMISSIONS })
  await prepare(db, ids)
  await db.destroy()
  const server = await startFiligree(root, place, [], secrets)
  servers.push(server)
  const all = []
  for (const name of names) all.push(await contender(server, name))
  return names.length === 1 ? all[0] : all
}

function userPermissions() {
  return { ...ALL_PERMISSIONS, admin: false, execute: false }
}

async function contender(server, username) {
  const login = { method: 'POST', body: JSON.stringify({ username, password: PASSWORD }) }
  const headers = { 'X-Auth': await (await fetch(`${server.url}/api/login`, login)).text() }
  const share = await fetch(`${server.url}/api/share/docs/`, { method: 'POST', headers, body: '{}' })
  return { server, headers, link: `/api/public/share/${(await share.json()).hash}` }
}

function beginFull(roots) {
  return begin('full', { FILIGREE_ROOTS: roots.join(';') }, fill, ['bob', 'ann'])
}

async function fill(db, { ann }) {
  const deps = { db, cluster: openLocalCluster() }
  const users = []
  for (let number = 0; number < USERS; number += 1)
    users.push(
      (
        await addUser(db, {
          ...BLANK_USER,
          username: `user ${number}`,
          passwordHash: 'none',
          scope: '/others',
          perm: userPermissions(),
        })
      ).id,
    )
  const groups = []
  for (let number = 0; number < GROUPS; number += 1) {
    const { id } = await addGroup(deps, { name: `Group ${number}`, description: '', perm: NO_PERMISSIONS, rules: [] })
    groups.push(id)
    const members = users
      .filter((_, at) => at % GROUPS === number)
      .map(user_id => ({ group_id: id, user_id, source: 'manual', created_at: 0 }))
    if (members.length > 0) await db.insertInto('group_members').values(members).execute()
  }
  for (const group of groups.slice(0, OWN_GROUPS)) await addMember(deps, group, ann)
  for (let number = 0; number < ROOTS; number += 1) {
    const mount = `m${number}`
    await insertMount(db, {
      id: mount,
      name: `Team ${number}`,
      root: `r${number}`,
      folder: '/',
      readOnly: false,
      createdAt: 0,
    })
    const given = { rights: ['download', 'create'], expiresAt: null }
    for (const group of groups.filter((_, at) => at % ROOTS === number))
      await giveMount(db, { id: `${mount}-${group}`, mount, to: { kind: 'group', id: group }, ...given }, 0)
  }
  await inBatches(db, 'shares', LINKS, number => ({
    ...bound(users, number),
    hash: `link${number}`,
    expire: 0,
    password_hash: '',
    token_hash: '',
  }))
  const term = { note: '', rights: '["download"]', expires_at: null }
  await inBatches(db, 'grants', GRANTS, number => ({
    ...bound(users, number),
    ...term,
    hash: `grant${number}`,
    to_user: users[(number + 1) % users.length],
    to_group: null,
  }))
  await inBatches(db, 'grants', OWN_GRANTS, number => ({
    ...{ ...bound(users, number), ...term, hash: `own${number}`, to_user: ann, to_group: null },
    ...{ path: `/trip ${number}`, place: `/others/trip ${number}`, canonical: `/others/trip ${number}` },
  }))
}

function bound(users, number) {
  return {
    ...{ user_id: users[number % users.length], path: `/item ${number}`, place: `/others/item ${number}` },
    ...{
      canonical: `/others/item ${number}`,
      identity: `i${number}`,
      kind: 'folder',
      leaving: 0,
      created_at: 0,
      suspended: null,
    },
  }
}

async function inBatches(db, table, count, rowOf) {
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => rowOf(from + at))
    await db.insertInto(table).values(rows).execute()
  }
}

async function measure(work, path, contenders) {
  const names = ['alone', 'with nothing', 'with much']
  const times = names.map(() => [])
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, { server, headers, link }] of contenders.entries()) {
      const agent = newAgent()
      const began = processorTime(server)
      for (let number = 0; number < REQUESTS; number += 1)
        await send({ url: server.url + (path ?? link), headers: path === undefined ? {} : headers }, agent)
      agent.destroy()
      // The first round warms up.
      if (round > 0) times[at].push(((processorTime(server) - began) * 1000) / REQUESTS)
    }
  }
  const ratio = at => median(times[at].map((time, round) => time / times[0][round]))
  return {
    work,
    'alone, ms': median(times[0]),
    ...Object.fromEntries(names.slice(1).map((name, at) => [name, Number(ratio(at + 1).toFixed(2))])),
  }
}
