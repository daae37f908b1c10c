import { appendFileSync } from 'node:fs'

/** Collects figures for the last lines of a long run. */
const KEPT = process.env.FILIGREE_FAULTS_FIGURES

/** Writes a line of figures past the reporters of the test runner. */
export function report(line: string): void {
  process.stdout.write(`${line}\n`)
  if (KEPT) appendFileSync(KEPT, `${line}\n`)
}
