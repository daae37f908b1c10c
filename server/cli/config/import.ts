import type { Command } from '../command.ts'
import { readDataFile } from '../data-file.ts'
import { hostOf, inDb } from '../open.ts'
import { printParts } from './cat.ts'
import { DOCUMENT_NAMES, fromDocument } from './document.ts'
import { type Parts, writeParts } from './parts.ts'

/** What an import switches off, for the host's own hand to switch on. */
const BY_HAND = [
  ['enableExec', 'Programs stay off until you switch them on here: filigree config set --disableExec=false'],
  [
    'followExternalSymlinks',
    'Links out of a scope stay closed until you open them here: filigree config set --followExternalSymlinks',
  ],
] as const

export const command: Command = {
  usage: '<file>',
  summary: 'Puts the settings of an exported file in the place of all settings; makes a missing database',
  words: { least: 1, most: 1 },
  changes: true,
  async run(given) {
    const content = readDataFile(given.positionals[0] ?? '', DOCUMENT_NAMES)
    const parts = fromDocument(content)
    await inDb(await hostOf(given), async db => {
      for (const [name, sentence] of BY_HAND) if (parts.server[name]) console.error(sentence)
      const imported = asImported(parts)
      await writeParts(db, imported)
      printParts(imported)
    })
  },
}

/** What an import makes of a document: some things are switched on by the host's own hand only. */
export const asImported = (parts: Parts): Parts => ({
  ...parts,
  server: { ...parts.server, enableExec: false, followExternalSymlinks: false },
})
