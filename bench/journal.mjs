// npm run bench -- journal: what it costs a server in processor time to keep what is deleted and replaced: the trash,
// versions and the steps written in advance. Two servers of one build, in turn; the other one keeps nothing. Both record
// what was done: there is no server without that. The goal is about the journal, which is statements of the database; what
// the file system takes for notes, links, renames and flushes is in the time of the process besides.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { each, median, newAgent, ROUNDS, send, statementTime } from './measure.mjs'
import { startFiligree } from './peers.mjs'
import { report } from './searches.mjs'

/** Files per round. */
const FILES = Number(process.argv[2] ?? 1000)
const AT_ONCE = 4
/** Microseconds more of statements for each operation. */
const BUDGET = 200
/** Microseconds of a clock tick. */
const TICK = 10_000

const kinds = {
  kept: ['--trash', 'on', '--versions', 'all'],
  plain: ['--trash', 'off', '--versions', 'off'],
}
const OPERATIONS = {
  'a deletion': name => ({ method: 'DELETE', path: `/api/resources/${name}` }),
  'a save': name => ({ method: 'PUT', path: `/api/resources/${name}`, body: 'what replaces it' }),
  'a move over a file': name => ({
    method: 'PATCH',
    path: `/api/resources/${name}?action=rename&destination=${encodeURIComponent(`/${name}.old`)}&override=true`,
  }),
}

const scratch = mkdtempSync(join(tmpdir(), 'filigree-journal-'))
const servers = {}
try {
  for (const [kind, flags] of Object.entries(kinds)) {
    const root = join(scratch, kind, 'root')
    mkdirSync(root, { recursive: true })
    servers[kind] = {
      root,
      ...(await startFiligree(root, join(scratch, kind), flags, { FILIGREE_BENCH_STATEMENTS: 'yes' })),
    }
  }
  const rows = []
  for (const [operation, asked] of Object.entries(OPERATIONS)) rows.push(await measure(operation, asked))
  report('journal', rows, `goal: at most ${BUDGET} µs more of statements for each, median of the rounds`)
} finally {
  for (const { stop } of Object.values(servers)) await stop()
  rmSync(scratch, { recursive: true, force: true })
}

async function measure(operation, asked) {
  const figures = { kept: [], plain: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    // The first of a round is the other one each time.
    const turn = round % 2 === 0 ? ['kept', 'plain'] : ['plain', 'kept']
    for (const kind of turn) {
      const used = await once(servers[kind], `${operation}-${round}`.replaceAll(' ', '-'), asked)
      if (round > 0) figures[kind].push(used)
    }
  }
  const all = ({ own, kernel }) => own + kernel
  const more = of => figures.kept.map((used, round) => of(used) - of(figures.plain[round]))
  const statements = more(used => used.statements)
  const ratios = figures.kept.map((used, round) => all(used) / all(figures.plain[round]))
  return {
    'processor time of': operation,
    files: FILES,
    'kept, µs': median(figures.kept.map(all)),
    'for good, µs': median(figures.plain.map(all)),
    'ratio, %': median(ratios) * 100,
    'more, µs': median(more(all)),
    'more in the kernel, µs': median(more(({ kernel }) => kernel)),
    'more of its own, µs': median(more(({ own }) => own)),
    'statements, kept, µs': median(figures.kept.map(({ statements }) => statements)),
    'statements, for good, µs': median(figures.plain.map(({ statements }) => statements)),
    'more of statements, µs': median(statements),
    'least, µs': Math.min(...statements),
    'most, µs': Math.max(...statements),
    [`at most ${BUDGET} µs`]: median(statements) <= BUDGET ? 'met' : 'missed',
    'load of the machine': loadavg()[0],
  }
}

/** @returns microseconds for each operation: of the processor for the process and for the kernel, and of statements */
async function once(server, folder, asked) {
  mkdirSync(join(server.root, folder))
  for (let number = 0; number < FILES; number += 1) {
    for (const name of [`${number}`, `${number}.old`]) writeFileSync(join(server.root, folder, name), 'what was there')
  }
  const agent = newAgent(AT_ONCE)
  const statementsBefore = await statementTime(server)
  const before = timesOf(server)
  await each(FILES, AT_ONCE, number => {
    const { method, path, body } = asked(`${folder}/${number}`)
    return send({ url: `${server.url}${path}`, headers: server.headers, method }, agent, body)
  })
  const after = timesOf(server)
  agent.destroy()
  const statements = (((await statementTime(server)) - statementsBefore) * 1000) / FILES
  return { own: (after.own - before.own) / FILES, kernel: (after.kernel - before.kernel) / FILES, statements }
}

function timesOf({ pid }) {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [own, kernel] = rest
    .split(' ')
    .slice(11, 13)
    .map(ticks => Number(ticks) * TICK)
  return { own, kernel }
}
