import { readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** Measured rounds, after one warm-up round. */
export const ROUNDS = 5

/**
 * Runs a benchmark for us and its peers, alternating, on the same data.
 * @param contenders functions by name that return a figure; `undefined` for a peer that is not installed
 * @param isRate whether more is better
 */
export async function compare({ work, unit, goal, isRate = false, rounds = ROUNDS }, contenders) {
  const there = Object.entries(contenders).filter(([, act]) => act !== undefined)
  const figures = Object.fromEntries(there.map(([name]) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, act] of there) {
      const figure = await act(round)
      if (round > 0) figures[name].push(figure)
    }
  }
  const peers = Object.keys(contenders).filter(name => name !== 'ours')
  const ratios = Object.fromEntries(peers.filter(name => figures[name]).map(name => [name, ratioOf(figures, name)]))
  return row(
    { work, unit, isRate, ours: median(figures.ours), figures, ratios, absent: peers.filter(name => !figures[name]) },
    goal,
  )
}

/** A figure of ours alone. */
export function alone({ work, unit, goal }, ours) {
  return row({ work, unit, ours, figures: { ours: [ours] }, ratios: {}, absent: [] }, goal)
}

function row(measured, goal) {
  return { ...measured, goal: goal?.text, met: goal?.met(measured) }
}

/** Ours divided by the peer's, per round. */
function ratioOf(figures, peer) {
  const all = figures.ours.map((ours, round) => ours / figures[peer][round])
  return { median: median(all), least: Math.min(...all), most: Math.max(...all) }
}

/** A goal for the ratio to a peer, met or not; unknown without the peer. */
export const atLeast = (least, peer) => ({
  text: `≥ ${least} × ${peer}`,
  met: ({ ratios }) => ratios[peer] && ratios[peer].median >= least,
})
export const atMost = (most, peer) => ({
  text: `≤ ${most} × ${peer}`,
  met: ({ ratios }) => ratios[peer] && ratios[peer].median <= most,
})
export const under = (most, unit) => ({ text: `≤ ${most} ${unit}`, met: ({ ours }) => ours <= most })
export const over = (least, unit) => ({ text: `≥ ${least} ${unit}`, met: ({ ours }) => ours >= least })

export function median(values) {
  return percentile(values, 50)
}

export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

/** Milliseconds. */
export async function time(act) {
  const began = performance.now()
  await act()
  return performance.now() - began
}

export const newAgent = (maxSockets = 1) => new Agent({ keepAlive: true, maxSockets })

/**
 * One request, its response read to the end and discarded.
 * @returns milliseconds to the first byte of the body and to the last, and the number of bytes
 */
export function send({ url, headers, method = 'GET' }, agent, body = undefined) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const call = request(url, { agent, headers, method }, answer => {
      let [bytes, first] = [0, undefined]
      if (answer.statusCode !== 304 && (answer.statusCode < 200 || answer.statusCode > 299)) {
        reject(new Error(`${method} ${url} was answered with ${answer.statusCode}`))
      }
      answer.on('error', reject)
      answer.on('data', chunk => {
        first ??= performance.now() - began
        bytes += chunk.length
      })
      answer.on('end', () => resolve({ first, whole: performance.now() - began, bytes, headers: answer.headers }))
    })
    call.on('error', reject)
    if (body && typeof body.pipe === 'function') body.pipe(call)
    else call.end(body)
  })
}

/** Runs `act` with each number below `count`, with limited concurrency. */
export async function each(count, atOnce, act) {
  const numbers = Array.from({ length: count }).keys()
  const work = async () => {
    for (const number of numbers) await act(number)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work))
}

/**
 * Requests per second over a number of connections.
 * @param onFault called for failed requests, which do not count
 */
export async function rate(asked, connections, milliseconds, onFault = fault => Promise.reject(fault)) {
  const agent = newAgent(connections)
  let done = 0
  const until = performance.now() + milliseconds
  const began = performance.now()
  const work = async () => {
    while (performance.now() < until) {
      await send(asked, agent).then(() => {
        done += 1
      }, onFault)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
  return (done * 1000) / (performance.now() - began)
}

/** Resident memory of a process, in MiB. */
export function memoryOf({ pid }) {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

/** The system's clock ticks per second. */
const TICKS = 100

/**
 * CPU seconds of a server's processes, in steps of a hundredth.
 * @param withEnded also counts ended child processes
 */
export function processorTime({ pids, withEnded = false }) {
  const used = pids().map(pid => {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const times = rest.split(' ').slice(11, withEnded ? 15 : 13)
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
  })
  return used.reduce((sum, seconds) => sum + seconds, 0)
}

/** The longest delay of a server's event loop while `act` runs, in milliseconds. */
export async function longestBlock(server, act) {
  await toggleMeasuring(server)
  await act()
  return (await toggleMeasuring(server)).longest
}

/** Milliseconds that statements of the database took since the start of a server that measures them (see loop.mjs). */
export async function statementTime(server) {
  await toggleMeasuring(server)
  return (await toggleMeasuring(server)).statements
}

/** See loop.mjs. */
async function toggleMeasuring({ pid, loop }) {
  const file = `${loop}.${pid}`
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'))
    } catch {
      await pause(25)
    }
  }
  throw new Error('the server does not report its event loop')
}
