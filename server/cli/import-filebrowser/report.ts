import { printable } from '../print.ts'

/**
 * What there is to say: what came, what stayed as it is here, what cannot come, what means something else here, and what
 * is left to do by hand.
 */
const SECTIONS = {
  comes: 'Comes',
  kept: 'Stays as it is here',
  cannot: 'Cannot come',
  changes: 'Means something else here',
  todo: 'Left for you to do',
} as const
export type Section = keyof typeof SECTIONS

/** One sentence, and what it is about. */
export interface Note {
  section: Section
  /** Such as `user alice` or `link BAC4SrEl`. */
  about: string
  text: string
}

/** What became, or would become, of things of one kind. */
export interface Tally {
  added: number
  changed: number
  same: number
  kept: number
}

export interface Report {
  /** Nothing was written. */
  dryRun: boolean
  database: string
  root: string
  settings: Tally
  users: Tally
  links: Tally
  notes: readonly Note[]
  /** The command that starts the server with all this. */
  start: string
}

/** Sentences of one section that are printed; `--json` has them all. */
const MOST_PRINTED = 40

export function printReport(report: Report): void {
  const { dryRun, database, root, notes } = report
  const lines = [
    dryRun ? `What would come into ${database} (nothing was written):` : `What came into ${database}:`,
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
  lines.push('', dryRun ? 'The same without --dry-run does it. Then start with:' : 'Start with:', `  ${report.start}`)
  for (const line of lines) console.log(printable(line))
}

function countsOf({ added, changed, same, kept }: Tally): string {
  const parts: [number, string][] = [
    [added, 'new'],
    [changed, 'changed'],
    [same, 'the same already'],
    [kept, 'left as here'],
  ]
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return told.length === 0 ? 'none' : told.join(', ')
}
