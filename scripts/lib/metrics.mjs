import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { isExempt } from '../../test/architecture/arrows.ts'
import { edgesBetween, readSources } from '../../test/architecture/imports.ts'
import { measure } from './measured.mjs'
import { inRepo } from './repo.mjs'

/** The interfaces whose members are counted, those that exist. */
const CONTRACTS = ['StorageDriver', 'SearchIndex']
/** Code that starts a worker, or runs as one. */
const WORKER = /\bnew Worker\(|\bparentPort\b|\bfork\(/
const TOP_FOLDERS = ['server', 'shared', 'web']

const isTest = ({ path }) => path.startsWith('test/') || isExempt(path)
const isStyle = ({ path }) => path.endsWith('.css')
const sources = readSources([...TOP_FOLDERS, 'test'])
const code = sources.filter(file => !isTest(file) && !isStyle(file))
const measured = code.map(({ path }) => measure(path, readFileSync(inRepo(path), 'utf8')))
const edges = edgesBetween(code)
const metrics = {
  files: { count: code.length, ...spread(measured.map(({ lines }) => lines)) },
  functions: spread(measured.flatMap(({ functions }) => functions)),
  rings: {
    files: inRings(edges),
    folders: inRings(edges.map(byFolder).filter(isAcross)),
    allFolders: folders(code).size,
  },
  contracts: Object.fromEntries(CONTRACTS.flatMap(contract)),
  comments: {
    all: share(measured, 'comments', 'lines'),
    contract: share(measured.filter(declares('StorageDriver')), 'comments', 'lines'),
    bodies: share(measured, 'bodyComments', 'bodyLines'),
    exportsExplained: share(measured, 'explained', 'exported'),
  },
  workerFiles: code.filter(file => WORKER.test(file.code)).length,
  lines: {
    code: linesOf(code),
    styles: linesOf(sources.filter(file => isStyle(file) && !isTest(file))),
    tests: linesOf(sources.filter(isTest)),
    ...Object.fromEntries(
      TOP_FOLDERS.map(top => [top, linesOf(code.filter(({ path }) => path.startsWith(`${top}/`)))]),
    ),
  },
}
process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify(metrics, null, 2)}\n` : table(metrics))

function spread(lengths) {
  const sorted = lengths.toSorted((a, b) => a - b)
  const at = part => sorted[Math.floor((sorted.length - 1) * part)]
  return { median: at(0.5), p90: at(0.9), longest: sorted.at(-1) }
}

function byFolder({ from, to }) {
  return { from: posix.dirname(from), to: posix.dirname(to) }
}

/** Whether neither folder contains the other: otherwise they count as one part. */
function isAcross({ from, to }) {
  return !from.startsWith(`${to}/`) && !to.startsWith(`${from}/`)
}

function folders(files) {
  return new Set(files.map(({ path }) => posix.dirname(path)))
}

/** How many targets of the edges lead back to themselves through another. */
function inRings(edges) {
  const next = Map.groupBy(
    edges.filter(({ from, to }) => from !== to),
    ({ from }) => from,
  )
  const leadsBack = start => {
    const seen = new Set()
    const open = [start]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const { to } of next.get(node) ?? []) {
        if (to === start) return true
        if (!seen.has(to)) open.push(to)
        seen.add(to)
      }
    }
    return false
  }
  return [...next.keys()].filter(leadsBack).length
}

function declares(name) {
  return file => name in file.contracts
}

function contract(name) {
  return measured.filter(declares(name)).map(file => [name, file.contracts[name]])
}

function share(files, part, whole) {
  const sum = key => files.reduce((all, file) => all + file[key], 0)
  return Math.round((sum(part) / sum(whole)) * 1000) / 10
}

function linesOf(files) {
  return files.reduce((all, { lines }) => all + lines, 0)
}

function table({ files, functions, rings, contracts, comments, workerFiles, lines }) {
  const members = Object.entries(contracts).map(([name, { required, optional }]) => [
    `members of \`${name}\`: required (optional)`,
    `${required} (${optional})`,
  ])
  const rows = [
    ['files', files.count],
    ['lines of a file: median / p90 / longest', `${files.median} / ${files.p90} / ${files.longest}`],
    ['lines of a function: median / p90 / longest', `${functions.median} / ${functions.p90} / ${functions.longest}`],
    ['files in an import cycle', `${rings.files} of ${files.count}`],
    ['folders in an import cycle', `${rings.folders} of ${rings.allFolders}`],
    ...members,
    ['lines that are comments', `${comments.all} %`],
    ['… in the storage contract / in bodies of functions', `${comments.contract} % / ${comments.bodies} %`],
    ['exports with a comment above them', `${comments.exportsExplained} %`],
    ['files that start a worker or run as one', workerFiles],
    ['lines of code', lines.code],
    ...TOP_FOLDERS.map(top => [`… in ${top}/`, lines[top]]),
    ['lines of style sheets', lines.styles],
    ['lines of tests', lines.tests],
  ]
  return ['| Metric | Value |', '|---|--:|', ...rows.map(([name, value]) => `| ${name} | ${value} |`), ''].join('\n')
}
