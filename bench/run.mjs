// Measures Filigree beside nginx on the same folder: one warm-up, then five rounds in turn. Prints the median of the
// pairwise ratios with minimum and maximum, and writes it all to bench/results/. Ratios are what counts; the times
// belong to this machine. A peer that is not installed is "absent".
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFiligree, startNginx } from './peers.mjs'

const ROUNDS = 5
const MIB = 1024 * 1024
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** What is measured: a name, how many requests make one round, and what a server is asked for. */
const WORKS = [
  { name: 'listing of 1 000 files', requests: 20, ask: server => server.listing('thousand') },
  { name: 'listing of 100 000 files', requests: 1, ask: server => server.listing('many') },
  { name: 'download of 256 MiB', requests: 1, ask: server => server.file('big.bin') },
]

const scratch = mkdtempSync(join(tmpdir(), 'filigree-bench-'))
const servers = []
try {
  const root = prepareFolder()
  const ours = await startFiligree(root, scratch)
  servers.push(ours)
  const nginx = await startNginx(root, scratch)
  if (nginx) servers.push(nginx)
  const results = []
  for (const work of WORKS) results.push(await measure(work, ours, nginx))
  report(results)
} finally {
  agent.destroy()
  await Promise.all(servers.map(server => server.stop()))
  rmSync(scratch, { recursive: true, force: true })
}

function prepareFolder() {
  const root = join(scratch, 'root')
  makeFiles(join(root, 'thousand'), 1000)
  makeFiles(join(root, 'many'), 100_000)
  writeFileSync(join(root, 'big.bin'), Buffer.alloc(256 * MIB, 'filigree '))
  return root
}

function makeFiles(folder, count) {
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `file ${index}.txt`), '')
}

async function measure(work, ours, nginx) {
  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    const own = await time(work, ours)
    const peer = nginx && (await time(work, nginx))
    if (round > 0) rounds.push({ ours: own, nginx: peer, ratio: peer && own / peer })
  }
  return { work: work.name, rounds }
}

/** Milliseconds per request. */
async function time({ requests, ask }, server) {
  const started = performance.now()
  for (let count = 0; count < requests; count++) await fetchAll(ask(server))
  return (performance.now() - started) / requests
}

function fetchAll({ url, headers }) {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, answer => {
      if (answer.statusCode !== 200) reject(new Error(`${url} was answered with ${answer.statusCode}`))
      answer.on('error', reject).on('end', resolve).resume()
    })
    request.on('error', reject)
  })
}

function report(results) {
  const rows = results.map(({ work, rounds }) => {
    const ratios = rounds.map(round => round.ratio).filter(ratio => ratio !== undefined)
    return {
      work,
      'Filigree, ms': fixed(median(rounds.map(round => round.ours)), 1),
      'nginx, ms': ratios.length === 0 ? 'absent' : fixed(median(rounds.map(round => round.nginx)), 1),
      'ratio of times': ratios.length === 0 ? '' : fixed(median(ratios), 2),
      'from … to': ratios.length === 0 ? '' : `${fixed(Math.min(...ratios), 2)} … ${fixed(Math.max(...ratios), 2)}`,
    }
  })
  console.table(rows)
  const folder = join(import.meta.dirname, 'results')
  const date = new Date().toISOString()
  const file = join(folder, `${date.replace(/[:.]/g, '-')}.json`)
  mkdirSync(folder, { recursive: true })
  const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model }
  writeFileSync(file, `${JSON.stringify({ date, machine, rounds: ROUNDS, results }, null, 2)}\n`)
  console.log(`written to ${file}`)
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function fixed(value, digits) {
  return value.toFixed(digits)
}
