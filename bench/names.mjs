// npm run bench -- P8 [names]: a search over a million names, as somebody types it, beside a walk with find; how long the
// index takes and what it costs; then (P13) the memory of the idle server and its start. The tree is made in memory where
// the system has a place for that. Figures are also printed for a tenth of the names, to show how the cost grows.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile, time } from './measure.mjs'
import { makeTree } from './name-tree.mjs'
import { startFiligree } from './peers.mjs'
import { fetchAs, firstHits, idleMemory, indexSize, tell } from './searches.mjs'

const MOST = Number(process.argv[2] ?? 1_000_000)
const WORDS_TYPED = 40
/** Milliseconds between two letters: half of what somebody takes who types ten a second. */
const BETWEEN_LETTERS = 50
const FIND_ROUNDS = 5

const memory = '/dev/shm'
const scratch = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'filigree-names-'))
const results = []
try {
  results.push(await measureIdle())
  for (const count of [MOST / 10, MOST]) results.push(await measure(count))
  const goals = ['as typed, p95 ≤ 20 ms', 'built ≤ 30 s', 'idle ≤ 90 MiB', 'first answer ≤ 500 ms']
  tell('names', results, `goals for a million names: ${goals.join(', ')}`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** A server that nobody but the first one to sign in has asked for anything yet. */
async function measureIdle() {
  const root = join(scratch, 'empty')
  mkdirSync(root)
  const started = performance.now()
  const server = await startFiligree(root, scratch)
  try {
    return { names: 0, 'first answer, ms': server.answeredAt - started, 'idle, MiB': await idleMemory(server) }
  } finally {
    await server.stop()
  }
}

async function measure(count) {
  const place = join(scratch, String(count))
  const root = join(place, 'root')
  const names = makeTree(root, count)
  const log = join(place, 'log')
  const args = ['--nameIndex', 'always', '--log', log, '--logLevel', 'info']
  let server = await startFiligree(root, place, args)
  try {
    const whileBuilding = await listUntilComplete(server, log)
    const typed = await typeWords(server, names, BETWEEN_LETTERS)
    const hurried = await typeWords(server, names, 0)
    const find = await median(FIND_ROUNDS, () => execFileSync('find', [root, '-name', '*no such name*']))
    const [idle, begun] = [await idleMemory(server), facts(log)]
    await server.stop()
    const started = performance.now()
    server = await startFiligree(root, place, args)
    const firstAnswer = server.answeredAt - started
    await untilComplete(log, 2)
    return {
      names: count,
      'built, s': begun.milliseconds / 1000,
      'listing meanwhile, p95 ms': percentile(whileBuilding, 95),
      'file, MiB': indexSize(place) / 2 ** 20,
      'as typed, p50 ms': percentile(typed, 50),
      'as typed, p95 ms': percentile(typed, 95),
      'as typed, max ms': Math.max(...typed),
      'without a pause, p50 ms': percentile(hurried, 50),
      'without a pause, p95 ms': percentile(hurried, 95),
      'find, ms': find,
      'idle, MiB': idle,
      'first answer, ms': firstAnswer,
      'idle after it, MiB': await idleMemory(server),
      'compared again, s': facts(log).milliseconds / 1000,
      'load of the machine': loadavg()[0],
    }
  } finally {
    await server.stop()
  }
}

/** How long listings take while the index is made. */
async function listUntilComplete(server, log) {
  const times = []
  while (linesOf(log).length === 0) {
    times.push(await time(async () => (await fetchAs(server, '/api/resources/')).text()))
    await pause(20)
  }
  return times
}

async function untilComplete(log, starts) {
  while (linesOf(log).length < starts) await pause(50)
}

function linesOf(log) {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter(line => line.includes('index of names is complete'))
}

function facts(log) {
  return JSON.parse(linesOf(log).at(-1) ?? '{}')
}

/** Milliseconds from each letter of some words to the first hits that are shown. */
async function typeWords(server, names, between) {
  const times = []
  for (let word = 0; word < WORDS_TYPED; word++) {
    const text = names[Math.floor((word / WORDS_TYPED) * names.length)] ?? ''
    for (let letters = 1; letters <= text.length; letters++) {
      times.push(await time(() => firstHits(server, text.slice(0, letters))))
      await pause(between)
    }
  }
  return times
}

async function median(rounds, act) {
  const times = []
  for (let round = 0; round <= rounds; round++) times.push(await time(act))
  return percentile(times.slice(1), 50)
}
