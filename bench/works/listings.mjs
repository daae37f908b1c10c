import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { alone, atLeast, atMost, compare, longestBlock, newAgent, rate, send, under } from '../measure.mjs'

const CONNECTIONS = 64
/** Of P5, by the number of entries: ratios to nginx. */
const GOALS = { 20: 0.3, 1000: 0.6 }

/** A number of empty files. */
export function makeFiles(folder, count) {
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `file ${index}.txt`), '')
}

/** P5: small listings over many connections, in requests per second. */
export async function manyListings({ root, servers, scale }) {
  const rows = []
  for (const count of [2, 20, 200, 1000, 10_000]) {
    const folder = `of ${count}`
    makeFiles(join(root, folder), count)
    const perSecond = server =>
      server?.listing && (() => rate(server.listing(folder), CONNECTIONS, Math.max(500, 3000 * scale)))
    const goal = GOALS[count] && atLeast(GOALS[count], 'nginx')
    const asked = { work: `P5 listing of ${count}, ${CONNECTIONS} connections`, unit: '/s', isRate: true, goal }
    rows.push(await compare(asked, contenders(servers, perSecond)))
  }
  return rows
}

/** P6: one large listing; its time to first byte, and how long it delays other requests. */
export async function largeListing({ root, servers, scale, whole }) {
  const rows = []
  for (const count of [10_000, 100_000, ...(whole ? [1_000_000] : [])].map(number => Math.round(number * scale))) {
    const folder = `of ${count}`
    makeFiles(join(root, folder), count)
    const agent = newAgent()
    const took = server => server?.listing && (async () => (await send(server.listing(folder), agent)).whole)
    const asked = { work: `P6 listing of ${count}`, unit: 'ms', goal: atMost(1.2, 'nginx') }
    rows.push(await compare(asked, contenders(servers, took)))
    for (const [work, headers] of Object.entries(await askedOtherwise(servers.ours, folder))) {
      const ours = async () => (await send(withHeaders(servers.ours.listing(folder), headers), agent)).whole
      const peers = { ...contenders(servers, took), ours }
      rows.push(await compare({ work: `P6 listing of ${count}, ${work}`, unit: 'ms' }, peers))
    }
    const { first } = await send(servers.ours.listing(folder), agent)
    rows.push(alone({ work: `P6 first byte of ${count}`, unit: 'ms', goal: under(150, 'ms') }, first))
    for (const [form, headers] of Object.entries(FORMS)) {
      const blocked = await whilePolled(servers.ours, folder, headers)
      const work = `P6 event loop delay by ${count}, ${form}`
      rows.push(alone({ work, unit: 'ms', goal: under(20, 'ms') }, blocked.longest))
      rows.push(alone({ work: `P6 slowest concurrent response, ${form}`, unit: 'ms' }, blocked.slowest))
    }
    agent.destroy()
  }
  return rows
}

/** The interface's `Accept`. */
const IN_ROWS = { Accept: 'application/vnd.filigree.listing' }

/** As a plain client gets it, as a browser would, and as the interface does. */
const FORMS = { JSON: {}, gzip: { 'Accept-Encoding': 'gzip' }, rows: { ...IN_ROWS, 'Accept-Encoding': 'gzip' } }

const withHeaders = (call, headers) => ({ ...call, headers: { ...call.headers, ...headers } })

/** How the interface requests a folder the first time, and when it has a current version. */
async function askedOtherwise(server, folder) {
  const { url, headers } = withHeaders(server.listing(folder), IN_ROWS)
  const lines = (await (await fetch(url, { headers })).text()).trimEnd().split('\n')
  const { etag } = JSON.parse(lines.at(-1))
  return { 'in rows': IN_ROWS, 'not changed': { ...IN_ROWS, 'If-None-Match': etag } }
}

/** Lists a folder three times during small requests of another client. */
async function whilePolled(server, folder, headers) {
  const [agent, other] = [newAgent(), newAgent()]
  const asked = server.listing(folder)
  let isOver = false
  let slowest = 0
  const poll = async () => {
    while (!isOver) {
      slowest = Math.max(slowest, (await send({ url: `${server.url}/health`, headers: {} }, other)).whole)
      await pause(5)
    }
  }
  const list = async () => {
    const call = withHeaders(asked, headers)
    try {
      for (let times = 0; times < 3; times++) await send(call, agent)
    } finally {
      isOver = true
    }
  }
  const longest = await longestBlock(server, () => Promise.all([poll(), list()]))
  agent.destroy()
  other.destroy()
  return { longest, slowest }
}

/** The same work for ours and each peer. */
export function contenders(servers, act) {
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, act(server)]))
}
