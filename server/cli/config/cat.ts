import type { Command } from '../command.ts'
import { leavesOf } from '../flatten.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { type Parts, readParts } from './parts.ts'

export const command: Command = {
  usage: '',
  summary: 'Prints all settings that the database keeps',
  words: { least: 0, most: 0 },
  run: given => withDb(given, async db => printParts(await readParts(db))),
}

/** One line a field; secrets are not shown. */
export function printParts(parts: Parts): void {
  for (const [name, value] of Object.entries(leavesOf(parts))) console.log(`${name}: ${shownValue(name, value)}`)
}

/** The value of a setting as a console may show it. */
export const shownValue = (name: string, value: unknown): string =>
  name.endsWith('.secret') && value !== '' ? '(set)' : printable(JSON.stringify(value))
