import { once } from 'node:events'
import { auditLines } from '../../audit/audit.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'

export const command: Command = {
  usage: '',
  summary: 'Prints the audit log as JSON lines, newest first',
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      for await (const lines of auditLines(db, {})) {
        if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
      }
    }),
}
