// npm run bench -- contents [folder]: full-text searches in the text files of a folder, by default the installed
// packages: real words, which generated text lacks. How long indexing takes, and what the index costs on disk.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile, processorTime, time } from './measure.mjs'
import { startFiligree } from './peers.mjs'
import { firstHits, idleMemory, indexSize, report } from './searches.mjs'

const ROOT = resolve(process.argv[2] ?? 'node_modules')
const SEARCHES = 150
/** Words per phrase. */
const PHRASE = 3

const scratch = mkdtempSync(join(tmpdir(), 'filigree-contents-'))
try {
  report('contents', [await measure()], 'goal: the first 50 files, p95 ≤ 100 ms')
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function measure() {
  const log = join(scratch, 'log')
  const server = await startFiligree(ROOT, scratch, ['--contentIndex', 'always', '--log', log, '--logLevel', 'info'])
  try {
    const { files, bytes, milliseconds } = await untilRead(log)
    const used = processorTime(server)
    const { words, phrases } = sample()
    const byWord = await timesOf(server, words)
    const byPhrase = await timesOf(server, phrases)
    return {
      files,
      'text, MiB': bytes / 2 ** 20,
      'read, s': milliseconds / 1000,
      'CPU time, s': used,
      'file, MiB': indexSize(scratch) / 2 ** 20,
      'words, p50 ms': percentile(byWord, 50),
      'words, p95 ms': percentile(byWord, 95),
      'words, max ms': Math.max(...byWord),
      'phrases, p50 ms': percentile(byPhrase, 50),
      'phrases, p95 ms': percentile(byPhrase, 95),
      'idle, MiB': await idleMemory(server),
      'load of the machine': loadavg()[0],
    }
  } finally {
    await server.stop()
  }
}

async function timesOf(server, texts) {
  const times = []
  for (const text of texts) {
    times.push(await time(() => firstHits(server, encodeURIComponent(`content:"${text}"`))))
  }
  return times
}

/** Words and phrases from files all over the folder, the same ones in every run. */
function sample() {
  const names = readdirSync(ROOT, { recursive: true }).filter(name => /\.(?:md|js|ts)$/.test(name))
  const [words, phrases] = [[], []]
  for (let round = 0; words.length < SEARCHES && round < names.length; round++) {
    const file = join(ROOT, names[(round * 7919) % names.length])
    if (!statSync(file).isFile() || statSync(file).size > 2 ** 20) continue
    const found = readFileSync(file, 'utf8').match(/[a-z]{4,}(?: [a-z]+)*/gi) ?? []
    const text = (found[Math.floor(found.length / 2)] ?? '').split(' ')
    if (text[0]) words.push(text[0])
    if (text.length >= PHRASE) phrases.push(text.slice(0, PHRASE).join(' '))
  }
  return { words, phrases }
}

/** The index's figures from the log, once it writes them. */
async function untilRead(log) {
  for (;;) {
    const line = readFileSync(log, 'utf8')
      .split('\n')
      .find(each => each.includes('index of contents is complete'))
    if (line) return JSON.parse(line)
    await pause(100)
  }
}
