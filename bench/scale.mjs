// npm run bench -- scale [--small] [--rows]: one server and three behind nginx, all on PostgreSQL, with the files on a
// disk and in a bucket, and one on SQLite for comparison: listings, uploads, downloads, searches, and many users at
// once; how listings and searches grow with the number of files. Everything runs on this machine, the object store too:
// compare the set-ups with each other, and the CPU times, which predict what more machines would do. Then the storage
// that rows and names take, which --rows measures alone, and the requests that listings make to an object store.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasNginx, startNginx } from '../test/faults/nginx.ts'
import { hasPostgres, startPostgres } from '../test/scale/postgres.ts'
import { hasS3, sharedS3 } from '../test/scale/s3-store.ts'
import { processorTime } from './measure.mjs'
import { startFiligree } from './peers.mjs'
import { askedOfStore } from './scale/asked.mjs'
import { processesOf } from './scale/database.mjs'
import { fillBucket, fillDisk } from './scale/fill.mjs'
import { bytesOfEach } from './scale/rows.mjs'
import { measure } from './scale/works.mjs'

const [small, onlyRows] = ['--small', '--rows'].map(flag => process.argv.includes(flag))
const sizes = small
  ? { folders: [100, 1000], people: 50, seconds: 5, mebibytes: 16, uploads: 50, rows: 10_000 }
  : { folders: [100, 1000, 10_000], people: 500, seconds: 30, mebibytes: 256, uploads: 500, rows: 100_000 }

if (!hasPostgres || !hasNginx) throw new Error('This requires PostgreSQL and nginx; see npm run test:scale.')
const scratch = mkdtempSync(join(tmpdir(), 'filigree-scale-'))
const postgres = await startPostgres()
const [results, asked] = [[], {}]
try {
  if (!onlyRows) await measureAll()
  report(await bytesOfEach(await postgres.make(), scratch, sizes.rows))
} finally {
  await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
// The store started for this ends with the process.
process.exit()

async function measureAll() {
  const disk = join(scratch, 'root')
  mkdirSync(disk)
  fillDisk(disk, sizes)
  results.push(await measureOn('disk, SQLite', { root: disk, count: 1 }))
  for (const count of [1, 3])
    results.push(await measureOn('disk', { root: disk, count, database: await postgres.make() }))
  if (hasS3) {
    const { addressOf, credentials, env } = await sharedS3()
    const root = addressOf(`bench-${process.pid}`)
    const empty = await fillBucket(root, credentials, sizes)
    for (const count of [1, 3]) {
      results.push(await measureOn('bucket', { root, count, database: await postgres.make(), env }))
    }
    Object.assign(asked, await askedOfStore({ address: root, credentials }, sizes))
    await empty()
  }
}

/** @returns figures by name, with the set-up */
async function measureOn(place, { root, count, database, env }) {
  const servers = []
  let balancer
  try {
    for (let number = 0; number < count; number++) {
      const home = mkdtempSync(join(scratch, 'server-'))
      const flags = database === undefined ? [] : ['--database', database, '--cacheDir', join(home, 'cache')]
      servers.push(await startFiligree(root, home, flags, env))
    }
    balancer = await startNginx(
      servers.map(({ url }) => url),
      { body: '0', patience: '120s', passes: true },
    )
    const [first] = servers
    const all = { ...first, url: balancer.url, pids: () => servers.map(({ pid }) => pid) }
    const pids = database === undefined ? () => [] : await processesOf(database)
    const used = () => ({ servers: processorTime(all), database: processorTime({ pids, withEnded: true }) })
    console.error(`measuring: ${place}, ${count}`)
    return { place, count, ...(await measure({ ...all, used }, sizes)), load: loadavg()[0] }
  } finally {
    await balancer?.stop()
    for (const server of servers) await server.stop()
  }
}

function report(bytes) {
  console.log(`\n${process.version}, ${cpus().length} processors, ${cpus()[0]?.model}`)
  if (results.length > 0) reportResults()
  reportList('requests to the store for a listing', asked)
  reportList(`bytes, of ${sizes.rows} each`, bytes)
  if (!hasS3) console.log('not measured: files in a bucket, for want of Ceph')
  if (results.some(({ errors }) => errors > 0)) process.exitCode = 1
}

function reportResults() {
  const heads = results.map(({ place, count }) => `${place}, ${count}`)
  console.log(`| | ${heads.join(' | ')} |\n|---|${heads.map(() => '---:|').join('')}`)
  const names = [...new Set(results.flatMap(({ figures }) => Object.keys(figures)))]
  for (const name of names)
    console.log(`| ${name} | ${results.map(({ figures }) => shown(figures[name])).join(' | ')} |`)
  console.log(`| load of the machine | ${results.map(({ load }) => shown(load)).join(' | ')} |`)
}

function reportList(head, figures) {
  const lines = Object.entries(figures).map(([name, figure]) => `| ${name} | ${shown(figure)} |`)
  if (lines.length > 0) console.log(`\n| ${head} | |\n|---|---:|\n${lines.join('\n')}`)
}

function shown(figure) {
  if (figure === undefined) return '–'
  return figure >= 100 ? String(Math.round(figure)) : figure.toFixed(1)
}
