import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../../test/scale/postgres.ts'
import { newAgent, send } from '../measure.mjs'
import { makeTree } from '../name-tree.mjs'
import { startFiligree } from '../peers.mjs'

/** As long as the random names in rows, and as incompressible. */
const RANDOM = `translate(encode(decode(md5(random()::text), 'hex'), 'base64'), '+/=', '-_')`

/** A session's client. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

/** Tables whose rows grow with users and their activity, and the columns that differ from row to row. */
const GROWING = {
  users: { username: `'person.' || n`, scope: `'/home/person.' || n` },
  sessions: { id: RANDOM, user_id: 'first + n', token_id: RANDOM, previous_id: RANDOM },
  shares: {
    hash: RANDOM,
    user_id: 'first + n',
    place: `'/home/person.' || n || one.path`,
    identity: `left(md5(n::text) || md5(n::text), length(one.identity))`,
  },
  audit: {
    id: 'head + n',
    user_id: 'first + n',
    username: `'person.' || n`,
    path: `'/home/person.' || n || '/new ' || n || '.txt'`,
    hash: `${RANDOM} || left(${RANDOM}, 21)`,
  },
}

/**
 * The storage of a row of each kind in PostgreSQL, with its indexes, and of a file in the name index. A server creates
 * the first row of each kind; the others are copies of it.
 * @param database empty
 * @returns {Promise<Record<string, number>>} bytes by kind
 */
export async function bytesOfEach(database, scratch, count) {
  const [root, cache, log] = ['root', 'cache', 'log'].map(name => join(scratch, `rows-${name}`))
  makeTree(root, count)
  mkdirSync(join(root, 'home/person'), { recursive: true })
  writeFileSync(join(root, 'home/person/holiday.jpg'), '')
  const flags = ['--database', database, '--cacheDir', cache, '--nameIndex', 'always', '--log', log]
  const server = await startFiligree(root, scratch, [...flags, '--logLevel', 'info'])
  try {
    await makeFirst(server)
    while (!readFileSync(log, 'utf8').includes('the index of names is complete')) await pause(100)
  } finally {
    await server.stop()
  }
  const bytes = { 'a file in the index of names': statSync(join(cache, 'names')).size / count }
  for (const [table, own] of Object.entries(GROWING)) {
    const [whole, indexes] = await grow(database, { table, own, count })
    bytes[`a row of ${table}`] = whole
    bytes[`a row of ${table}, of which indexes`] = indexes
  }
  return bytes
}

/** A user with a session, a share link and a line in the audit log. */
async function makeFirst({ url, headers }) {
  const agent = newAgent()
  const post = (path, body, given = headers) => send({ url: url + path, method: 'POST', headers: given }, agent, body)
  const [username, password] = ['person', 'copper-anvil-drifts-9']
  const perm = { create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const data = { username, password, scope: '/home/person', locale: '', rules: [], commands: [], perm }
  await post('/api/users', JSON.stringify({ what: 'user', which: [], data }))
  const login = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ username, password }) }
  const answer = await fetch(`${url}/api/login`, login)
  const own = { 'X-Auth': await answer.text(), 'User-Agent': BROWSER }
  await post('/api/resources/new.txt', 'new', own)
  await post('/api/share/holiday.jpg', '{}', own)
  agent.destroy()
}

/** @returns bytes per row, with and without the table itself */
async function grow(database, { table, own, count }) {
  const sizes = async () => {
    const [row] = await ask(
      database,
      `select pg_total_relation_size('${table}') as whole, pg_indexes_size('${table}') as indexes`,
    )
    return [Number(row.whole), Number(row.indexes)]
  }
  const columns = await ask(
    database,
    `select column_name as name from information_schema.columns where table_name = '${table}' and is_identity = 'NO'
     order by ordinal_position`,
  )
  const names = columns.map(({ name }) => `"${name}"`)
  const values = columns.map(({ name }) => own[name] ?? `one."${name}"`)
  const before = await sizes()
  await ask(
    database,
    `insert into ${table} (${names}) select ${values} from
     (select * from ${table} order by ${table === 'audit' ? 'id' : 'created_at'} desc limit 1) one,
     (select max(id) - ${table === 'users' ? 0 : count} as first from users) u,
     (select coalesce(max(id), 0) as head from audit) a, generate_series(1, ${count}) n`,
  )
  const after = await sizes()
  return after.map((bytes, at) => (bytes - before[at]) / count)
}
