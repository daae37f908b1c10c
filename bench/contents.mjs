// npm run bench -- contents [files]: searches for what is in text files; how long the index of it takes, and what it costs on
// disk. The files are 1 to 16 KiB of made-up words, as notes and sources are; a tenth of them first, to show how it grows.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile, time } from './measure.mjs'
import { startFiligree } from './peers.mjs'
import { firstHits, idleMemory, indexSize, tell } from './searches.mjs'

const MOST = Number(process.argv[2] ?? 20_000)
const IN_FOLDER = 100
const WORDS = 30_000
const SEARCHES = 200
const PARTS = 'an ber cal do el fin gra hol in jo kel lin mor nes or pal qui ros sta tu ul ven wil xan yor zen'.split(
  ' ',
)

const scratch = mkdtempSync(join(tmpdir(), 'filigree-contents-'))
const results = []
try {
  for (const count of [MOST / 10, MOST]) results.push(await measure(count))
  tell('contents', results, 'goal: the first 50 files as one types, p95 ≤ 100 ms')
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function measure(count) {
  const place = join(scratch, String(count))
  const root = join(place, 'root')
  const dice = newDice()
  const words = Array.from({ length: WORDS }, () => wordOf(dice))
  const bytes = makeTexts(root, count, words, dice)
  const log = join(place, 'log')
  const server = await startFiligree(root, place, ['--contentIndex', 'always', '--log', log, '--logLevel', 'info'])
  try {
    const begun = await untilRead(log)
    const searches = Array.from({ length: SEARCHES }, () => words[dice(WORDS)])
    const typed = []
    for (const word of searches) typed.push(await time(() => firstHits(server, `content:${word}`)))
    const phrases = []
    for (const word of searches.slice(0, SEARCHES / 4)) {
      const query = encodeURIComponent(`content:"${word} ${words[dice(WORDS)]}"`)
      phrases.push(await time(() => firstHits(server, query)))
    }
    return {
      files: count,
      'text, MiB': bytes / 2 ** 20,
      'read, s': begun.milliseconds / 1000,
      'file, MiB': indexSize(place) / 2 ** 20,
      'words, p50 ms': percentile(typed, 50),
      'words, p95 ms': percentile(typed, 95),
      'words, max ms': Math.max(...typed),
      'phrases, p95 ms': percentile(phrases, 95),
      'idle, MiB': await idleMemory(server),
      'load of the machine': loadavg()[0],
    }
  } finally {
    await server.stop()
  }
}

/** The same numbers in every run. */
function newDice() {
  let state = 1
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function wordOf(dice) {
  return Array.from({ length: 2 + dice(3) }, () => PARTS[dice(PARTS.length)]).join('')
}

/** Few words are frequent, most are rare. */
function makeTexts(root, count, words, dice) {
  let bytes = 0
  for (let number = 0; number < count; number++) {
    const folder = join(root, String(Math.floor(number / IN_FOLDER)))
    if (number % IN_FOLDER === 0) mkdirSync(folder, { recursive: true })
    const size = 1024 * (1 + dice(16))
    let text = ''
    while (text.length < size) text += `${words[dice(1 + dice(1 + dice(WORDS)))]}${dice(12) === 0 ? '\n' : ' '}`
    writeFileSync(join(folder, `${number}.txt`), text)
    bytes += text.length
  }
  return bytes
}

/** What the log says of the texts, once it does. */
async function untilRead(log) {
  for (;;) {
    const line = readFileSync(log, 'utf8')
      .split('\n')
      .find(each => each.includes('index of contents is complete'))
    if (line) return JSON.parse(line)
    await pause(100)
  }
}
