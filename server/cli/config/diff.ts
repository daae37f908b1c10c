import type { Command } from '../command.ts'
import { readDataFile } from '../data-file.ts'
import { fingerprint } from '../fingerprint.ts'
import { leavesOf } from '../flatten.ts'
import { withDb } from '../open.ts'
import { shownValue } from './cat.ts'
import { DOCUMENT_NAMES, fromDocument } from './document.ts'
import { asImported } from './import.ts'
import { readParts } from './parts.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Shows what an import would change, without changing anything',
  words: { least: 1, most: 1 },
  async run(given) {
    const [file = ''] = given.positionals
    const there = leavesOf(asImported(fromDocument(readDataFile(file, DOCUMENT_NAMES))))
    const here = await withDb(given, async db => leavesOf(await readParts(db)))
    const names = Object.keys(there).filter(name => fingerprint(here[name]) !== fingerprint(there[name]))
    for (const name of names) {
      console.log(`- ${name}: ${shownValue(name, here[name])}\n+ ${name}: ${shownValue(name, there[name])}`)
    }
    if (names.length === 0) console.log('No changes.')
  },
}
