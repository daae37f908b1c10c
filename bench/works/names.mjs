import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inRepo } from '../../scripts/lib/repo.mjs'
import { alone, median, percentile, time, under } from '../measure.mjs'
import { makeTree } from '../name-tree.mjs'
import { startFiligree } from '../peers.mjs'
import { fetchAs, firstHits, idleMemory, indexSize } from '../searches.mjs'

const MILLION = 1_000_000
const WORDS_TYPED = 40
/** Milliseconds between two key presses: half of what a user takes who types ten per second. */
const BETWEEN_LETTERS = 50
const FIND_ROUNDS = 5
/** A tree in memory is created and walked faster, where there is room. */
const MEMORY = '/dev/shm'

/**
 * P8: searches over many names as they are typed, next to a walk with `find`; how long indexing takes, what the index
 * costs, and the memory and first response (P13) of a server with it.
 */
export async function names({ scale, whole, before }) {
  const rows = []
  for (const count of [MILLION / 10, MILLION, ...(whole ? [10 * MILLION] : [])]) {
    const ours = await inPlace(Math.round(count * scale), place => measure(place, inRepo()))
    const theirs = before === undefined ? [] : await inPlace(Math.round(count * scale), place => measure(place, before))
    rows.push(...ours.map((row, index) => withRatio(row, theirs[index])))
  }
  return rows
}

/** A row with its ratio to the same row of an earlier build. */
function withRatio(row, before) {
  if (before === undefined) return row
  const ratio = row.ours / before.ours
  return { ...row, ratios: { before: { median: ratio, least: ratio, most: ratio } } }
}

/** P13: a server that has served nothing but the first sign-in. */
export function idle() {
  return inPlace(0, async ({ place, root }) => {
    const started = performance.now()
    const server = await startFiligree(root, place)
    const answered = server.answeredAt - started
    try {
      return [
        alone({ work: 'P13 idle', unit: 'MiB', goal: under(90, 'MiB') }, await idleMemory(server)),
        alone({ work: 'P13 first answer', unit: 'ms', goal: under(500, 'ms') }, answered),
      ]
    } finally {
      await server.stop()
    }
  })
}

/** Runs an act with a folder that has room for that many names. */
async function inPlace(count, act) {
  const hasRoom = existsSync(MEMORY) && statfsSync(MEMORY).ffree > 1.1 * count
  const place = mkdtempSync(join(hasRoom ? MEMORY : tmpdir(), 'filigree-names-'))
  const root = join(place, 'root')
  mkdirSync(root)
  try {
    return await act({ place, root, count })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function measure({ place, root, count }, tree) {
  const start = more => startFiligree(root, place, more, {}, [], tree)
  const words = makeTree(root, count)
  const log = join(place, 'log')
  const first = await firstSearches(root, place, count, start)
  const args = ['--nameIndex', 'always', '--log', log, '--logLevel', 'info']
  let server = await start(args)
  try {
    const whileMaking = await listUntilComplete(server, log)
    const made = madeIn(log)
    const typed = await typeWords(server, words, BETWEEN_LETTERS)
    const hurried = await typeWords(server, words, 0)
    const find = await walk(root)
    const after = await idleMemory(server)
    await server.stop()
    const started = performance.now()
    server = await start(args)
    const answered = server.answeredAt - started
    await untilComplete(log, 2)
    const compared = madeIn(log)
    const goal = (most, unit) => (count === MILLION ? under(most, unit) : undefined)
    const of = `of ${count} names`
    return [
      ...first,
      alone({ work: `P8 first 50 ${of} while typing, p95`, unit: 'ms', goal: goal(20, 'ms') }, percentile(typed, 95)),
      alone({ work: `P8 first 50 ${of} while typing, p50`, unit: 'ms' }, median(typed)),
      alone({ work: `P8 first 50 ${of} without pauses between keys, p95`, unit: 'ms' }, percentile(hurried, 95)),
      alone({ work: `P8 the same ${of} by find`, unit: 'ms' }, find),
      alone({ work: `P8 index ${of} built`, unit: 's', goal: goal(30, 's') }, made / 1000),
      alone({ work: `P8 index ${of} compared again`, unit: 's' }, compared / 1000),
      alone({ work: `P8 index ${of}, file`, unit: 'MiB' }, indexSize(place) / 2 ** 20),
      alone({ work: `P8 listings while it is built, ${of}, p95`, unit: 'ms' }, percentile(whileMaking, 95)),
      alone({ work: `P13 first response with an index ${of}`, unit: 'ms', goal: goal(500, 'ms') }, answered),
      alone({ work: `P13 idle after an index ${of} was built and searched`, unit: 'MiB' }, after),
      alone({ work: `P13 idle after the next start ${of}`, unit: 'MiB' }, await idleMemory(server)),
    ]
  } finally {
    await server.stop()
  }
}

/**
 * Searches of servers that have just started, alternating with `find` on the same tree: without an index, and while it
 * is built.
 */
async function firstSearches(root, place, count, start) {
  const rows = []
  for (const index of ['off', 'always']) {
    const ratios = []
    for (let round = 0; round < FIND_ROUNDS; round++) {
      const find = await time(() => execFileSync('find', [root, '-iname', '*no such name*']))
      const server = await start(['--nameIndex', index])
      try {
        const search = async () => (await fetchAs(server, '/api/search/?query="no such name"')).text()
        ratios.push((await time(search)) / find)
      } finally {
        await server.stop()
      }
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(place, `bench.db.names${suffix}`), { force: true })
    }
    const when = index === 'off' ? 'without an index' : 'while the index is built'
    const work = `P8 first search / find ${when}, of ${count} names`
    rows.push(alone({ work, unit: '× find', goal: under(2, '× find') }, median(ratios)))
  }
  return rows
}

/** Response times of listings while the index is built. */
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

const madeIn = log => JSON.parse(linesOf(log).at(-1) ?? '{}').milliseconds

/** Milliseconds from each key press of some words to the first hits that are shown. */
async function typeWords(server, words, between) {
  const times = []
  for (let word = 0; word < WORDS_TYPED; word++) {
    const text = words[Math.floor((word / WORDS_TYPED) * words.length)] ?? ''
    for (let letters = 1; letters <= text.length; letters++) {
      times.push(await time(() => firstHits(server, text.slice(0, letters))))
      await pause(between)
    }
  }
  return times
}

async function walk(root) {
  const times = []
  for (let round = 0; round <= FIND_ROUNDS; round++) {
    times.push(await time(() => execFileSync('find', [root, '-name', '*no such name*'])))
  }
  return median(times.slice(1))
}
