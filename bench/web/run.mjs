// Measures the interface in Chromium against its goals: a server of its own on folders of 100 to 100 000 entries, each
// figure several times, with the runs of all benchmarks interleaved so that a busy moment of the machine affects all
// alike. Prints one table and writes it to bench/results/. The times belong to this machine; goals that are not met are
// listed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureEditor } from './editor.mjs'
import { GOALS } from './goals.mjs'
import { measureLarge } from './large.mjs'
import { measureLoads } from './loads.mjs'
import { measureOpenings } from './openings.mjs'
import { prepareStage, SIZES } from './stage.mjs'
import { runTests } from './tests.mjs'

const options = { runs: { type: 'string', default: '5' }, only: { type: 'string' } }
const { runs, only } = parseArgs({ options }).values
const figures = new Map()
const loadBefore = loadavg()[0]
if (only !== 'tests') await measureTimes(Number(runs))
if (only === undefined || only === 'tests') for (const [key, value] of await runTests()) note(key, value)
report()

async function measureTimes(count) {
  const stage = await prepareStage(only === 'editor' ? [] : SIZES)
  try {
    // The first round warms up: the disk's cache, the server's compiled code, the browser's.
    for (let round = 0; round <= count; round++) {
      process.stderr.write(round === 0 ? 'warming up…\n' : `round ${round} of ${count}…\n`)
      const keep = round === 0 ? () => undefined : note
      if (only !== 'editor') await measureLoads(stage, keep)
      if (only !== 'editor') await measureLarge(stage, keep)
      if (only !== 'editor') await measureOpenings(stage, keep)
      await measureEditor(stage, keep)
    }
  } finally {
    await stage.close()
  }
}

/** Records a figure; a text is a finding printed next to the figures. */
function note(key, value) {
  figures.set(key, [...(figures.get(key) ?? []), value])
}

function report() {
  const rows = GOALS.filter(({ key }) => figures.has(key)).map(goal => rowOf(goal, figures.get(goal.key)))
  console.table(
    rows.map(({ goal, what, ours, spread, target, met }) => ({
      goal,
      what,
      ours,
      'from … to': spread,
      target,
      met: met ? 'yes' : 'NO',
    })),
  )
  const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model }
  const load = { before: loadBefore, after: loadavg()[0] }
  console.log(
    `load of the machine ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after, ${machine.processors} cores`,
  )
  const folder = join(import.meta.dirname, '..', 'results')
  const date = new Date().toISOString()
  const file = join(folder, `web-${date.replace(/[:.]/g, '-')}.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    file,
    `${JSON.stringify({ date, machine, load, rows, figures: Object.fromEntries(figures) }, null, 2)}\n`,
  )
  console.log(`written to ${file}`)
}

function rowOf({ goal, key, what, unit, digits = 0, limit, atLeast = false }, values) {
  const middle = median(values)
  const met = atLeast ? middle >= limit : middle <= limit
  const show = value => `${value.toFixed(digits)}${unit ? ` ${unit}` : ''}`
  const spread = values.length > 1 ? `${show(Math.min(...values))} … ${show(Math.max(...values))}` : ''
  return { goal, key, what, ours: show(middle), spread, target: `${atLeast ? '≥' : '≤'} ${show(limit)}`, met }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
