import { listMountAccess, listMounts } from '../../features/groups/mounts.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'

const HEADINGS = ['Name', 'Root', 'Folder', 'Read only', 'Given to']

export const command: Command = {
  usage: '',
  summary: 'Lists the folders of other roots, and to whom they are given',
  flags: [{ flag: 'json', boolean: true, doc: 'Print a JSON object for each.' }],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const access = Map.groupBy(await listMountAccess(db), ({ mount }) => mount)
      const rows = (await listMounts(db)).map(({ createdAt: _, ...mount }) => ({
        ...mount,
        given: (access.get(mount.id) ?? []).map(({ to, toName, rights, expiresAt }) => ({
          ...{ to: `${to.kind}:${toName}`, rights },
          ends: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        })),
      }))
      if (given.flags.get('json') === 'true') for (const row of rows) console.log(JSON.stringify(row))
      else
        printTable(
          HEADINGS,
          rows.map(({ name, root, folder, readOnly, given }) => [
            ...[printable(name), root, printable(folder), readOnly ? 'yes' : 'no'],
            given
              .map(({ to, rights, ends }) => `${printable(to)} (${rights.join(',')}${ends ? `, until ${ends}` : ''})`)
              .join(' ') || 'none',
          ]),
        )
    }),
}
