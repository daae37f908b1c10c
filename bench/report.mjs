import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'

/** Prints one table, and writes it as JSON and as a chart into `bench/results`. */
export function report(rows, works) {
  for (const row of rows) console.log(lineOf(row))
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const date = new Date().toISOString()
  const place = join(folder, `${works.join('-')}-${date.replace(/[:.]/g, '-')}`)
  const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model, load: loadavg()[0] }
  writeFileSync(`${place}.json`, `${JSON.stringify({ date, machine, rows }, null, 2)}\n`)
  writeFileSync(`${place}.svg`, chartOf(rows))
  console.log(`written to ${place}.json and .svg`)
}

export function heading() {
  return ['work', 'ours', 'ours by peer: median (least … most)', 'goal'].join(' | ')
}

function lineOf({ work, unit, ours, ratios, absent, goal, met }) {
  const peers = Object.entries(ratios).map(([name, { median, least, most }]) => {
    return `${name} ${fixed(median)} (${fixed(least)} … ${fixed(most)})`
  })
  const missing = absent.map(name => `${name} absent`)
  const verdict = goal === undefined ? '' : `${goal}: ${met === undefined ? 'unknown' : met ? 'met' : 'NOT MET'}`
  return [work, `${fixed(ours)} ${unit}`, [...peers, ...missing].join(', '), verdict].join(' | ')
}

const fixed = value => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))

const ROW = 26
const LEFT = 400
const WIDTH = 900
/** The largest and smallest ratio of the chart. */
const FARTHEST = 16

/** The ratios to each peer, on a logarithmic scale: right is faster. */
function chartOf(rows) {
  const bars = rows.flatMap(({ work, ratios, isRate }) => {
    return Object.entries(ratios).map(([peer, { median }]) => ({
      text: `${work}, by ${peer}`,
      times: isRate ? median : 1 / median,
    }))
  })
  const middle = LEFT + (WIDTH - LEFT) / 2
  const lines = bars.map(({ text, times }, index) => {
    const reach = Math.max(-1, Math.min(1, Math.log(times) / Math.log(FARTHEST))) * ((WIDTH - LEFT) / 2 - 40)
    const [x, y] = [Math.min(middle, middle + reach), index * ROW + 8]
    return `<text x="8" y="${y + 12}">${escaped(text)}</text><rect x="${x}" y="${y}" width="${Math.abs(reach)}" height="14" fill="${times >= 1 ? '#2a7f62' : '#b4543a'}"/><text x="${middle + reach + (reach < 0 ? -36 : 6)}" y="${y + 12}">${fixed(times)}</text>`
  })
  const height = bars.length * ROW + 16
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12"><title>How many times as fast as its peers</title><rect width="100%" height="100%" fill="#fff"/><line x1="${middle}" y1="0" x2="${middle}" y2="${height}" stroke="#888"/>${lines.join('')}</svg>\n`
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
