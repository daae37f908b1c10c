import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ADVISORIES } from './advisories.ts'
import { type Priority, ROWS, SECTIONS } from './rows.ts'
import { UNPROVEN } from './unproven.ts'

export const REPO = fileURLToPath(new URL('../..', import.meta.url))
/** The table, as people read it. */
export const TABLE = join(REPO, 'docs/security/coverage.md')

/** A test that says in its name which row it proves. */
export interface Proof {
  id: string
  /** The text that holds the id: of the test, or of the group it is in. */
  name: string
  file: string
}

const AREAS = [...new Set(ROWS.map(([id]) => id.replace(/-.*/, '')))].join('|')
const ID = new RegExp(`\\b(?:${AREAS})-\\d\\d\\b`, 'g')
/** A text in quotes that begins with ids: no sentence of ours but a name does. */
const NAME = new RegExp(`(['"\`])((?:(?:${AREAS})-\\d\\d )+(?:(?!\\1).)*)\\1`, 'g')

/** Every name of a test that carries ids, of files that Vitest and Playwright run. */
export function findProofs(): Proof[] {
  return ['server', 'shared', 'web', 'test'].flatMap(folder => testFiles(join(REPO, folder))).flatMap(proofsIn)
}

function testFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.test\.tsx?$|\bconformance\b.*\.ts$/.test(path) && !path.includes('node_modules'))
    .map(path => join(folder, path))
    .sort()
}

function proofsIn(path: string): Proof[] {
  const file = relative(REPO, path)
  const names = [...readFileSync(path, 'utf8').matchAll(NAME)].map(([, , name = '']) => name)
  return names.flatMap(name => {
    const [ids = ''] = /^(?:[A-Z]+-\d\d )+/.exec(name) ?? []
    return (ids.match(ID) ?? []).map(id => ({ id, name: name.slice(ids.length), file }))
  })
}

/** What is wrong with the names of tests and the lists beside them. */
export function findFaults(proofs: readonly Proof[]): string[] {
  const rows = new Set(ROWS.map(([id]) => id))
  const proven = new Set(proofs.map(({ id }) => id))
  const advised = ADVISORIES.flatMap(({ list }) => list).flatMap(([, , ids]) => ids.match(ID) ?? [])
  return [
    ...[...proven].filter(id => !rows.has(id)).map(id => `a test names ${id}, which is no row`),
    ...advised.filter(id => !rows.has(id)).map(id => `an advisory names ${id}, which is no row`),
    ...Object.keys(UNPROVEN).flatMap(id => (rows.has(id) ? [] : [`${id} is no row`])),
    ...Object.keys(UNPROVEN).flatMap(id => (proven.has(id) ? [`${id} has a test and a reason to have none`] : [])),
    ...[...rows].filter(id => !proven.has(id) && !(id in UNPROVEN)).map(id => `${id} has neither a test nor a reason`),
  ]
}

/** The whole table as Markdown. */
export function renderTable(proofs: readonly Proof[]): string {
  const cell = (id: string) => {
    const own = proofs.filter(proof => proof.id === id)
    return own.length === 0
      ? `— ${UNPROVEN[id]}`
      : own.map(({ name, file }) => `${inCell(name)} (\`${file}\`)`).join('<br>')
  }
  const sections = SECTIONS.map(({ title, rows }) =>
    [`### ${title}`, '', '| Row | | What is tried | What proves it |', '| --- | --- | --- | --- |']
      .concat(rows.map(([id, priority, what]) => `| ${id} | ${priority} | ${what} | ${cell(id)} |`))
      .join('\n'),
  )
  const advisories = ADVISORIES.map(({ title, list }) =>
    [`### ${title}`, '', '| Advisory | The mistake | Rows |', '| --- | --- | --- |']
      .concat(list.map(([ids, mistake, rows]) => `| ${ids.replaceAll(' ', '<br>')} | ${mistake} | ${rows} |`))
      .join('\n'),
  )
  return [`${HEAD}\n${counts(proofs)}`, '## Rows', ...sections, '## Advisories', ...advisories]
    .join('\n\n')
    .concat('\n')
}

const HEAD = `# What the tests of security and safety cover

Made by \`npm run coverage:trust\` from \`test/security/rows.ts\`, \`advisories.ts\` and \`unproven.ts\` and the names of tests; a
test fails while it is not current. A row is proven by tests that carry its id in their names. P0 stops a release, P1 must
hold before 1.0, P2 is hardening. A dash says why there is no test.
`

function counts(proofs: readonly Proof[]): string {
  const proven = new Set(proofs.map(({ id }) => id))
  const line = (wanted: Priority) => {
    const ids = ROWS.filter(([, priority]) => priority === wanted).map(([id]) => id)
    return `| ${wanted} | ${ids.length} | ${ids.filter(id => proven.has(id)).length} |`
  }
  return ['| | Rows | With a test |', '| --- | --- | --- |', line('P0'), line('P1'), line('P2')].join('\n')
}

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\\n', ' ')
