import { pino } from 'pino'
import { openRoots } from '../../context.ts'
import { asAppError } from '../../errors.ts'
import { seenRoots } from '../../features/groups/roots.store.ts'
import { stagingKey } from '../../features/settings/settings.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'

type Roots = NonNullable<ReturnType<typeof openRoots>>

const HEADINGS = ['Name', 'Place', 'Read only', 'State']

export const command: Command = {
  usage: '',
  summary: 'Lists the roots that the configuration names, and whether they can be opened',
  flags: [{ flag: 'json', boolean: true, doc: 'Print a JSON object for each.' }],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async (db, config) => {
      const roots = openRoots(
        config,
        { stagingKey: await stagingKey(db), seen: seenRoots(db) },
        pino({ level: 'silent' }),
      )
      const rows = await Promise.all((roots?.list ?? []).map(({ name }) => rowOf(roots as Roots, name)))
      const main = { name: 'main', place: config.root, readOnly: false, state: 'served' }
      if (given.flags.get('json') === 'true') for (const row of [main, ...rows]) console.log(JSON.stringify(row))
      else printTable(HEADINGS, [main, ...rows].map(cellsOf))
    }),
}

async function rowOf(roots: Roots, name: string) {
  const state = await roots.open(name).then(
    () => 'ready',
    thrown => (roots.isExchanged(name) ? 'exchanged' : asAppError(thrown).code),
  )
  const root = roots.find(name)
  return { name, place: root?.root ?? '', readOnly: root?.readOnly === true, state }
}

const cellsOf = ({ name, place, readOnly, state }: Awaited<ReturnType<typeof rowOf>>) => [
  ...[name, printable(place), readOnly ? 'yes' : 'no', state],
]
