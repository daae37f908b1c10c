import { CONTRACT, type ContractRow, rowOf } from '../contract.ts'

/** How many test cases saw each status of each row: row → status → cases. */
export type Coverage = ReadonlyMap<ContractRow, ReadonlyMap<number, number>>

/** A documented status that no case has seen. */
export interface Gap {
  row: ContractRow
  status: number
}

/** Counts cases. @param cases the calls of each test case, as `METHOD STATUS PATH` */
export function countCases(cases: readonly (readonly string[])[]): Coverage {
  const coverage = new Map(CONTRACT.map(row => [row, new Map<number, number>()]))
  for (const calls of cases) {
    const seen = new Set<string>()
    for (const call of calls) {
      const [, method = '', status = '', path = ''] = /^(\S+) (\d+) (.*)$/s.exec(call) ?? []
      const row = rowOf(method, path)
      if (!row || seen.has(`${CONTRACT.indexOf(row)} ${status}`)) continue
      seen.add(`${CONTRACT.indexOf(row)} ${status}`)
      const counts = coverage.get(row)
      counts?.set(Number(status), (counts.get(Number(status)) ?? 0) + 1)
    }
  }
  return coverage
}

export const gapsOf = (coverage: Coverage): Gap[] =>
  CONTRACT.flatMap(row =>
    row.statuses.filter(status => !coverage.get(row)?.get(status)).map(status => ({ row, status })),
  )

/** The table as Markdown: one line per row of the contract, cases per status, documented ones in bold. */
export function renderTable(coverage: Coverage, cases: number): string {
  const lines = CONTRACT.map(row => {
    const counts = [...(coverage.get(row) ?? [])].sort(([a], [b]) => a - b)
    const cells = counts.map(
      ([status, count]) => `${row.statuses.includes(status) ? `**${status}**` : status} ${count}`,
    )
    return `| ${row.section} | \`${row.method} ${row.route}\` | ${cells.join(' · ')} |`
  })
  return [
    '# What the wire tests cover',
    '',
    `Written by \`npm run test:wire\`: ${cases} cases, counted for every call and status they saw. Bold statuses are`,
    'those the wire contract documents; each must have been seen.',
    '',
    '| Section | Call | Statuses and cases |',
    '| --- | --- | --- |',
    ...lines,
    '',
  ].join('\n')
}
