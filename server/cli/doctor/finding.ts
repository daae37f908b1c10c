import { printable } from '../print.ts'

/** What one look found. */
export interface Finding {
  /** What was looked at. */
  about: string
  state: 'fine' | 'worth a look' | 'wrong'
  /** What was seen, as a sentence. */
  seen: string
  /** The lines to run or to write, where there are any. */
  lines?: readonly string[]
}

export function printFinding({ about, state, seen, lines = [] }: Finding): void {
  console.log(`${state.padEnd(12)}  ${about.padEnd(14)}  ${printable(seen)}`)
  for (const line of lines) console.log(`${' '.repeat(30)}${printable(line)}`)
}
