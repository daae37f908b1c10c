import { setTimeout as pause } from 'node:timers/promises'
import { each, median, memoryOf, newAgent, percentile, rate, send, time } from '../measure.mjs'

const MIB = 2 ** 20
const ROUNDS = 5
/** Milliseconds of load per figure. */
const ASKING = 5000
/** Concurrent connections. */
const CONNECTIONS = 16
/** Signing in is slow on purpose; each session serves several simulated users. */
const SESSIONS = 10
/** Milliseconds of think time between requests. */
const PAUSE = 500

/**
 * All measurements of one set-up, through its load balancer.
 * @param server whose `used` returns the CPU seconds of its processes and those of its database so far
 * @returns figures by name, and the number of requests that failed unexpectedly
 */
export async function measure(server, sizes) {
  const figures = {}
  for (const count of sizes.folders) Object.assign(figures, await listings(server, count))
  Object.assign(figures, await transfers(server, sizes))
  for (const count of sizes.folders) Object.assign(figures, await searches(server, count))
  Object.assign(figures, await signIns(server))
  const { errors, ...crowded } = await crowd(server, sizes)
  return { figures: { ...figures, ...crowded, [`${sizes.people} people: errors`]: errors }, errors }
}

const at = ({ url, headers }, path, method = 'GET') => ({ url: url + path, headers, method })

async function listings(server, count) {
  const asked = at(server, `/api/resources/f${count}/`)
  const agent = newAgent()
  const first = await time(() => send(asked, agent))
  const later = []
  for (let round = 0; round < ROUNDS; round++) later.push(await time(() => send(asked, agent)))
  agent.destroy()
  const faults = []
  const { figure, cost } = await costOf(server, async () => {
    const began = performance.now()
    const perSecond = await rate(asked, CONNECTIONS, ASKING, fault => faults.push(fault))
    return { figure: perSecond, times: (perSecond * (performance.now() - began)) / 1000 }
  })
  return {
    [`folder of ${count}, the first time, ms`]: first,
    [`folder of ${count}, later, ms`]: median(later),
    [`folder of ${count}, ${CONNECTIONS} at once, listings/s`]: figure,
    ...(faults.length > 0 && { [`folder of ${count}: errors`]: faults.length }),
    ...named(`a listing of ${count}`, cost),
  }
}

/**
 * CPU time of an operation.
 * @param act returns a figure, and how often it was done
 * @returns milliseconds per operation
 */
async function costOf({ used }, act) {
  const before = used()
  const { figure, times } = await act()
  const after = used()
  const each = who => ((after[who] - before[who]) * 1000) / times
  return { figure, cost: { servers: each('servers'), database: each('database') } }
}

const named = (what, { servers, database }) => ({
  [`${what}: CPU time of the servers, ms`]: servers,
  [`${what}: CPU time of PostgreSQL, ms`]: database,
})

async function transfers(server, { mebibytes, uploads }) {
  const agent = newAgent(CONNECTIONS)
  const [little, much] = [Buffer.alloc(4096, 'a'), Buffer.alloc(mebibytes * MIB, 'b')]
  const put = (path, body) => send(at(server, `/api/resources/new/${path}?override=true`, 'POST'), agent, body)
  await put('0.txt', little)
  const many = await time(() => each(uploads, CONNECTIONS, number => put(`${number}.txt`, little)))
  const up = await time(() => put('large.bin', much))
  const down = await time(() => send(at(server, '/api/raw/new/large.bin'), agent))
  await send(at(server, '/api/resources/new/', 'DELETE'), agent)
  agent.destroy()
  return {
    'uploads of 4 KiB, files/s': (uploads * 1000) / many,
    [`upload of ${mebibytes} MiB, MiB/s`]: (mebibytes * 1000) / up,
    [`download of ${mebibytes} MiB, MiB/s`]: (mebibytes * 1000) / down,
  }
}

async function searches(server, count) {
  const agent = newAgent()
  const asked = at(server, `/api/search/f${count}/?query=note%2077`)
  // The index of a disk is built at the first search.
  await send(asked, agent)
  await pause(PAUSE)
  const times = []
  for (let round = 0; round < ROUNDS; round++) times.push(await time(() => send(asked, agent)))
  agent.destroy()
  return { [`search by name below the folder of ${count}, ms`]: median(times) }
}

async function signIns(server) {
  const { cost } = await costOf(server, async () => {
    for (let count = 0; count < SESSIONS; count++) await server.signIn()
    return { figure: undefined, times: SESSIONS }
  })
  return named('a sign-in', cost)
}

/** Many users at once; each polls, browses and sometimes downloads. */
async function crowd(server, { people, seconds }) {
  const tokens = []
  for (let count = 0; count < SESSIONS; count++) tokens.push(await server.signIn())
  const paths = ['/api/resources/f100/', '/api/usage/', '/api/resources/', '/health']
  const [small, faults] = [[], []]
  const until = performance.now() + seconds * 1000
  const person = async number => {
    const agent = newAgent()
    const headers = { 'X-Auth': tokens[number % SESSIONS] }
    await pause((PAUSE * number) / people)
    for (let step = number; performance.now() < until; step++) {
      const isLarge = step % 20 === 0
      const path = isLarge ? '/api/raw/book.bin' : paths[step % paths.length]
      const answer = await send({ url: server.url + path, headers }, agent).catch(fault => faults.push(fault))
      if (!isLarge && answer.whole !== undefined) small.push(answer.whole)
      await pause(PAUSE)
    }
    agent.destroy()
  }
  const { cost } = await costOf(server, async () => {
    await Promise.all(Array.from({ length: people }, (_, number) => person(number)))
    return { figure: undefined, times: small.length }
  })
  return {
    [`${people} people: answers/s`]: small.length / seconds,
    ...named(`${people} people: an answer`, cost),
    [`${people} people: memory of the largest server, MiB`]: Math.max(...server.pids().map(pid => memoryOf({ pid }))),
    [`${people} people: p50, ms`]: percentile(small, 50),
    [`${people} people: p99, ms`]: percentile(small, 99),
    errors: faults.length,
  }
}
