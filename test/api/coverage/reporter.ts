import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { countCases, gapsOf, renderTable } from './table.ts'

/** With fewer cases, coverage says little about a contract of this size. */
const FEWEST_CASES = 250

declare module 'vitest' {
  interface TaskMeta {
    /** Every call of a wire test: `METHOD STATUS PATH`. */
    calls?: string[]
  }
}

/**
 * Fails a complete run of the wire tests in which a documented status was never seen, unless the server is external,
 * which may have features disabled: then it only reports. Writes the table to the file that `FILIGREE_WIRE_TABLE`
 * names.
 */
export default class CoverageReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests('passed')])
    const cases = tests.map(test => test.meta().calls ?? []).filter(calls => calls.length > 0)
    const coverage = countCases(cases)
    const problems = gapsOf(coverage).map(({ row, status }) => `${row.method} ${row.route} never answered ${status}`)
    if (cases.length < FEWEST_CASES) problems.push(`only ${cases.length} cases`)
    const table = process.env.FILIGREE_WIRE_TABLE
    if (table) writeFileSync(table, renderTable(coverage, cases.length))
    process.stdout.write(`\nWire contract: ${cases.length} cases, ${problems.length} gaps\n`)
    for (const problem of problems) process.stdout.write(`  ${problem}\n`)
    if (problems.length > 0 && !process.env.FILIGREE_WIRE_URL) process.exitCode = 1
  }
}
