import type { Command } from '../command.ts'
import { leavesOf } from '../flatten.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { type Parts, readParts } from './parts.ts'

export const command: Command = {
  usage: '',
  summary: 'Prints all settings in the database',
  words: { least: 0, most: 0 },
  run: given => withDb(given, async db => printParts(await readParts(db))),
}

/** Prints one line per field, without secrets. */
export function printParts(parts: Parts): void {
  for (const [name, value] of Object.entries(leavesOf(parts))) console.log(`${name}: ${shownValue(name, value)}`)
}

/** A setting's value for the console; secrets are masked. */
export const shownValue = (name: string, value: unknown): string =>
  name.endsWith('.secret') && value !== '' ? '(set)' : printable(JSON.stringify(value))
