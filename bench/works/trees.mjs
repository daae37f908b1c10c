import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../scripts/lib/repo.mjs'
import { alone, atLeast, atMost, compare, longestBlock, memoryOf, newAgent, send, time, under } from '../measure.mjs'
import { apiServers } from '../peers.mjs'
import { contenders } from './listings.mjs'
import { makeFile } from './transfers.mjs'

const IN_FOLDER = 100

function makeTree(folder, count, size) {
  const body = Buffer.alloc(size, 'filigree ')
  for (let number = 0; number < count; number++) {
    const place = join(folder, String(Math.floor(number / IN_FOLDER)))
    if (number % IN_FOLDER === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `file ${number}`), body)
  }
}

/** P10: a folder as a zip, streamed, next to `zip -0`; and the memory it takes. */
export async function zip({ root, servers, scale, whole }) {
  const rows = []
  const zipper = findProgram('zip')
  for (const count of [1000, 10_000, ...(whole ? [100_000] : [])].map(number =>
    Math.max(10, Math.round(number * scale)),
  )) {
    const folder = `tree of ${count}`
    makeTree(join(root, folder), count, 100_000)
    const agent = newAgent()
    const fetched = server => server && (async () => (await send(zipCall(server, folder), agent)).whole)
    const named = apiServers(servers)
    const before = memoryOf(servers.ours)
    rows.push(
      await compare(
        { work: `P10 zip of ${count} files`, unit: 'ms', goal: atMost(1, 'zip'), rounds: 3 },
        {
          ...contenders(named, fetched),
          zip: zipper && (() => time(() => piped(zipper, ['-0', '-q', '-r', '-', folder], root))),
        },
      ),
    )
    const more = memoryOf(servers.ours) - before
    rows.push(alone({ work: `P10 memory growth, ${count} files`, unit: 'MiB', goal: under(64, 'MiB') }, more))
    const { bytes, headers } = await send(zipCall(servers.ours, folder), agent)
    // Beyond a number of entries no `Content-Length` is sent.
    const announced = headers['content-length']
    if (announced !== undefined) {
      const wrong = Math.abs(Number(announced) - bytes)
      rows.push(alone({ work: `P10 error of Content-Length, ${count} files`, unit: 'B', goal: under(0, 'B') }, wrong))
    }
    agent.destroy()
    rmSync(join(root, folder), { recursive: true })
  }
  return rows
}

const zipCall = ({ url, headers }, folder) => ({
  url: `${url}/api/raw/${encodeURIComponent(folder)}/?algo=zip`,
  headers,
})

/** Runs a program and discards its output. */
async function piped(program, args, cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
}

/**
 * P11: copying a tree, next to `cp -r` followed by `sync`, as durable as ours, and to `cp` alone. Copies stay until the
 * end: ext4 avoids inodes that were freed in the last minutes, and checks each of them for every new file.
 */
export async function copy({ root, servers, scale }) {
  const count = Math.max(10, Math.round(10_000 * scale))
  makeTree(join(root, 'tree'), count, 4096)
  const agent = newAgent()
  const made = []
  const placeFor = (name, round) => {
    made.push(`${name} ${round}`)
    return made.at(-1)
  }
  const copied = (server, name) =>
    server &&
    (async round => {
      const goal = encodeURIComponent(`/${placeFor(name, round)}`)
      const url = `${server.url}/api/resources/tree/?action=copy&destination=${goal}`
      return (await send({ url, headers: server.headers, method: 'PATCH' }, agent)).whole
    })
  const cp = name => round => {
    const goal = join(root, placeFor(name, round))
    return time(() => execFileSync('cp', ['-r', '--reflink=auto', join(root, 'tree'), goal]))
  }
  const synced = async round => (await cp('synced')(round)) + (await time(() => execFileSync('sync', ['-f', root])))
  const named = apiServers(servers)
  const asked = { work: `P11 copy of ${count} files`, unit: 'ms', goal: atMost(3, 'cp + sync'), rounds: 3 }
  const contending = Object.entries(named).map(([name, server]) => [name, copied(server, name)])
  const row = await compare(asked, { ...Object.fromEntries(contending), 'cp + sync': synced, cp: cp('cp') })
  for (const name of made) rmSync(join(root, name), { recursive: true })
  agent.destroy()
  return [row]
}

/** P12: the SHA-256 of a large file, next to `sha256sum`; and how it delays other requests. */
export async function checksum({ root, servers, scale }) {
  const size = Math.max(1, Math.round(1024 * scale))
  makeFile(join(root, 'summed.bin'), size)
  const agent = newAgent()
  const asked = ({ url, headers }) => ({ url: `${url}/api/resources/summed.bin?checksum=sha256`, headers })
  const speed = server => server && (async () => (size * 1000) / (await send(asked(server), agent)).whole)
  const sum = async () => (size * 1000) / (await time(() => execFileSync('sha256sum', [join(root, 'summed.bin')])))
  const named = apiServers(servers)
  const row = await compare(
    { work: `P12 SHA-256 of ${size} MiB`, unit: 'MiB/s', isRate: true, goal: atLeast(0.95, 'sha256sum') },
    { ...contenders(named, speed), sha256sum: sum },
  )
  const blocked = await longestBlock(servers.ours, () => send(asked(servers.ours), agent))
  agent.destroy()
  return [row, alone({ work: 'P12 event loop kept', unit: 'ms', goal: under(20, 'ms') }, blocked)]
}
