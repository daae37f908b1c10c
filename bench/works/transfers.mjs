import { execFileSync } from 'node:child_process'
import { closeSync, createReadStream, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  alone,
  atLeast,
  atMost,
  compare,
  each,
  memoryOf,
  newAgent,
  over,
  processorTime,
  send,
  time,
  under,
} from '../measure.mjs'
import { apiServers } from '../peers.mjs'
import { contenders } from './listings.mjs'

const MIB = 2 ** 20
const CHUNK = 8 * MIB
/** CPU seconds as the system counts them. */
const STEP = 0.01

/** Incompressible data, in MiB. */
export function makeFile(path, mebibytes) {
  const block = Buffer.alloc(MIB)
  for (let at = 0; at < MIB; at += 4) block.writeUInt32LE(Math.imul(at + 1, 2_654_435_761) >>> 0, at)
  const file = openSync(path, 'w')
  for (let count = 0; count < mebibytes; count++) writeSync(file, block)
  fsyncSync(file)
  closeSync(file)
}

/** P1: one download of a large file: MiB per second, and CPU seconds for it. */
export async function download({ root, servers, scale }) {
  const size = Math.max(1, Math.round(1024 * scale))
  makeFile(join(root, 'big.bin'), size)
  const agent = newAgent()
  const speed = server => server && (async () => (size * 1000) / (await send(server.file('big.bin'), agent)).whole)
  const used = server =>
    server &&
    (async () => {
      const before = processorTime(server)
      await send(server.file('big.bin'), agent)
      return (Math.max(STEP, processorTime(server) - before) * 1024) / size
    })
  const rows = [
    await compare(
      { work: `P1 download of ${size} MiB`, unit: 'MiB/s', isRate: true, goal: atLeast(0.95, 'nginx') },
      contenders(servers, speed),
    ),
    await compare({ work: 'P1 CPU time per GiB', unit: 's', goal: atMost(1.2, 'nginx') }, contenders(servers, used)),
  ]
  agent.destroy()
  return rows
}

/** P2: many downloads at once, and the memory they take. */
export async function parallelDownloads({ root, servers, scale }) {
  const size = Math.max(1, Math.round(16 * scale))
  makeFile(join(root, 'part.bin'), size)
  const at = 64
  const speed = server =>
    server &&
    (async () => {
      const agent = newAgent(at)
      const took = await time(() => each(at, at, () => send(server.file('part.bin'), agent)))
      agent.destroy()
      return (at * size * 1000) / took
    })
  const before = memoryOf(servers.ours)
  const asked = { work: `P2 ${at} downloads of ${size} MiB at once`, unit: 'MiB/s', isRate: true }
  const row = await compare({ ...asked, goal: atLeast(0.9, 'nginx') }, contenders(servers, speed))
  const more = memoryOf(servers.ours) - before
  return [row, alone({ work: 'P2 memory growth', unit: 'MiB', goal: under(64, 'MiB') }, more)]
}

/**
 * P3: one upload of a large file, whole and in chunks, next to WebDAV servers, which flush nothing and get it whole, and
 * to `cp` and `sync`. Each writes a new file, and memory is released right before: a virtual machine may wait for its
 * host with each page that was not in use a moment ago, longer than for the disk. Runs of more than a second or two pay
 * for that all the same.
 */
export async function upload({ root, scratch, servers, scale }) {
  const size = Math.max(1, Math.round(1024 * scale))
  const source = join(scratch, 'source.bin')
  makeFile(source, size)
  const targets = ['uploaded.bin', 'pieces.bin', 'copied.bin'].map(name => join(root, name))
  const speed = act =>
    act &&
    (async () => {
      for (const target of targets) rmSync(target, { force: true })
      return (size * 1000) / (await time(act))
    })
  const sendWhole = server => server?.upload && (() => sendFile(server, source))
  const copy = () => {
    execFileSync('cp', [source, join(root, 'copied.bin')])
    execFileSync('sync', [join(root, 'copied.bin')])
  }
  const inPieces = server => server && (() => sendInPieces(server, source, size * MIB))
  const { caddy: _, ...peers } = contenders(servers, server => speed(sendWhole(server)))
  const { ours, before } = contenders(servers, server => speed(inPieces(server)))
  const { filebrowser: __, ...whole } = peers
  const rows = [
    await compare(
      { work: `P3 upload of ${size} MiB`, unit: 'MiB/s', isRate: true, goal: atLeast(1, 'nginx') },
      { ...peers, cp: speed(copy) },
    ),
    await compare(
      { work: `P3 upload of ${size} MiB in chunks of 8`, unit: 'MiB/s', isRate: true, goal: atLeast(0.8, 'nginx') },
      { ...whole, ours, ...(before && { before }), cp: speed(copy) },
    ),
  ]
  rmSync(source)
  return rows
}

async function sendFile({ upload }, source) {
  const agent = newAgent()
  const { headers, ...asked } = upload('uploaded.bin')
  const lengths = { 'Content-Length': statSync(source).size }
  const body = createReadStream(source, { highWaterMark: MIB })
  await send({ ...asked, headers: { ...headers, ...lengths } }, agent, body)
  agent.destroy()
}

async function sendInPieces({ url, headers }, source, size) {
  const agent = newAgent()
  const place = `${url}/api/tus/pieces.bin?override=true`
  await send(
    { url: place, headers: { ...headers, 'Upload-Length': size, 'Tus-Resumable': '1.0.0' }, method: 'POST' },
    agent,
  )
  for (let start = 0; start < size; start += CHUNK) {
    const end = Math.min(size, start + CHUNK)
    const lengths = {
      'Content-Length': end - start,
      'Content-Type': 'application/offset+octet-stream',
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': start,
    }
    const body = createReadStream(source, { start, end: end - 1, highWaterMark: MIB })
    await send({ url: place, headers: { ...headers, ...lengths }, method: 'PATCH' }, agent, body)
  }
  agent.destroy()
}

/** P4: many small uploads, five at a time, in files per second. */
export async function smallUploads({ root, servers, scale }) {
  const count = Math.max(10, Math.round(10_000 * scale))
  const body = Buffer.alloc(4096, 'filigree ')
  const speed = server =>
    server &&
    (async round => {
      const agent = newAgent(5)
      const { url, headers } = server
      const place = number => `${url}/api/resources/small/${round}/${number}?override=true`
      const took = await time(() => each(count, 5, n => send({ url: place(n), headers, method: 'POST' }, agent, body)))
      agent.destroy()
      rmSync(join(root, 'small'), { recursive: true })
      return (count * 1000) / took
    })
  const asked = { work: `P4 ${count} uploads of 4 KiB, 5 at a time`, unit: 'files/s', isRate: true, rounds: 2 }
  const named = apiServers(servers)
  return [await compare({ ...asked, goal: over(500, 'files/s') }, contenders(named, speed))]
}
