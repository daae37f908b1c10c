import { printable } from '../print.ts'

/**
 * Sections of the report, by key.
 */
const SECTIONS = {
  comes: 'Imported',
  kept: 'Stays as it is here',
  cannot: 'Cannot be imported',
  changes: 'Works differently here',
  todo: 'Left for you to do',
} as const
export type Section = keyof typeof SECTIONS

/** One sentence and its subject. */
export interface Note {
  section: Section
  /** Such as `user alice` or `link BAC4SrEl`. */
  about: string
  text: string
}

/** Counts of objects of one kind. */
export interface Tally {
  added: number
  changed: number
  same: number
  kept: number
}

export interface Report {
  /** With --dry-run: nothing was written. */
  dryRun: boolean
  database: string
  root: string
  settings: Tally
  users: Tally
  links: Tally
  notes: readonly Note[]
  /** The command that starts the server. */
  start: string
}

/** Maximum number of sentences printed per section; `--json` has all. */
const MOST_PRINTED = 40

export function printReport(report: Report): void {
  const { dryRun, database, root, notes } = report
  const lines = [
    dryRun ? `Would be imported into ${database} (nothing was written):` : `Imported into ${database}:`,
    '',
    `  Settings  ${countsOf(report.settings)}`,
    `  Users     ${countsOf(report.users)}`,
    `  Links     ${countsOf(report.links)}`,
    `  Files     stay where they are, in ${root}`,
  ]
  for (const [section, title] of Object.entries(SECTIONS)) {
    const own = notes.filter(note => note.section === section)
    if (own.length === 0) continue
    lines.push('', `${title}:`, ...own.slice(0, MOST_PRINTED).map(({ about, text }) => `  - ${about}: ${text}`))
    if (own.length > MOST_PRINTED) lines.push(`  - and ${own.length - MOST_PRINTED} more; --json lists them all`)
  }
  lines.push(
    '',
    dryRun ? 'Run the same command without --dry-run to import. Then start with:' : 'Start with:',
    `  ${report.start}`,
  )
  for (const line of lines) console.log(printable(line))
}

function countsOf({ added, changed, same, kept }: Tally): string {
  const parts: [number, string][] = [
    [added, 'new'],
    [changed, 'changed'],
    [same, 'unchanged'],
    [kept, 'kept as here'],
  ]
  const counts = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return counts.length === 0 ? 'none' : counts.join(', ')
}
