import type { Command } from '../command.ts'
import { leavesOf } from '../leaves.ts'
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
export function printParts({ settings, auth, server }: Parts): void {
  const { recaptcha } = auth
  const shown = { ...auth, recaptcha: { ...recaptcha, secret: recaptcha.secret && '(set)' } }
  for (const [name, value] of Object.entries(leavesOf({ settings, auth: shown, server }))) {
    console.log(`${name}: ${printable(JSON.stringify(value))}`)
  }
}
