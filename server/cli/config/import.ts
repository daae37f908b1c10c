import type { Command } from '../command.ts'
import { readDataFile } from '../data-file.ts'
import { hostOf, inDb } from '../open.ts'
import { printParts } from './cat.ts'
import { DOCUMENT_NAMES, fromDocument } from './document.ts'
import { type Parts, writeParts } from './parts.ts'

/** Settings that an import switches off; the administrator of the host switches them on. */
const BY_HAND = [
  ['enableExec', 'Commands and hooks stay off. To allow them: filigree config set --disableExec=false'],
  [
    'followExternalSymlinks',
    'Symbolic links out of a scope are not followed. To follow them: filigree config set --followExternalSymlinks',
  ],
] as const

export const command: Command = {
  usage: '<file>',
  summary: 'Replaces all settings with those of an exported file; creates a missing database',
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

/** The document as it is imported, with these settings off. */
export const asImported = (parts: Parts): Parts => ({
  ...parts,
  server: { ...parts.server, enableExec: false, followExternalSymlinks: false },
})
