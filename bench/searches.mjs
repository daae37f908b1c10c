// Shared by the benchmarks of searches.
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { memoryOf } from './measure.mjs'

/** Hits on the first page of the interface, which requests more later. */
const SEEN = 50

/** @param query encoded */
export async function firstHits(server, query) {
  const call = new AbortController()
  const answer = await fetchAs(server, `/api/search/?query=${query}`, { Accept: 'application/x-ndjson' }, call.signal)
  let lines = 0
  for await (const chunk of answer.body) {
    for (const byte of chunk) if (byte === 10) lines += 1
    if (lines >= SEEN) break
  }
  call.abort()
}

export function fetchAs({ url, headers }, path, more = {}, signal = undefined) {
  return fetch(url + path, { headers: { ...headers, ...more }, signal })
}

/** Milliseconds after which an idle server has released unused memory. */
const REST = 65_000

/** Resident memory some time after the last request, in MiB. */
export async function idleMemory(server) {
  await pause(REST)
  return memoryOf(server)
}

export function indexSize(place) {
  return statSync(join(place, 'bench.db.names')).size
}

/** Prints the results, and writes them to bench/results/. */
export function report(what, rows, goals) {
  const shown = rows.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)])))
  for (const row of shown) console.table(row)
  console.log(goals)
  const folder = join(import.meta.dirname, 'results')
  const date = new Date().toISOString()
  const file = join(folder, `${what}-${date.replace(/[:.]/g, '-')}.json`)
  mkdirSync(folder, { recursive: true })
  const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model }
  writeFileSync(file, `${JSON.stringify({ date, machine, results: rows }, null, 2)}\n`)
  console.log(`written to ${file}`)
}

function round(value) {
  return typeof value !== 'number' || Number.isInteger(value) ? value : Number(value.toFixed(1))
}
