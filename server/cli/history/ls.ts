import { CHANGE_KINDS, type Change } from '../../../shared/api/changes.ts'
import { parsePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { presentChange } from '../../features/changes/view.ts'
import type { HistoryRequest } from '../../files/history.ts'
import type { Arguments, Command } from '../command.ts'
import { printable, printTable } from '../print.ts'
import { onHistory } from './common.ts'

const HEADINGS = ['ID', 'Time', 'User', 'Kind', 'State', 'Items', 'Folder', 'Names']
/** Changes that are listed without `--limit`. */
const USUAL_LIMIT = 100
/** Changes that are read at a time. */
const PAGE = 200

export const command: Command = {
  usage: '',
  summary: 'Lists what users changed, the newest first, also while the server runs',
  flags: [
    { flag: 'user', short: 'u', doc: 'Only changes of the user with this name.' },
    { flag: 'under', doc: 'Only changes of this path of the served root, or below it.' },
    { flag: 'since', doc: 'Only changes of this time or later, such as 2026-11-01 or 2026-11-01T12:00:00Z.' },
    { flag: 'before', doc: 'Only changes before this time.' },
    { flag: 'kind', doc: `Only changes of one kind: ${CHANGE_KINDS.join(', ')}.` },
    { flag: 'limit', doc: `The most changes to list; ${USUAL_LIMIT} unless given.` },
    { flag: 'json', boolean: true, doc: 'Print a JSON object for each change.' },
  ],
  words: { least: 0, most: 0 },
  async run(given) {
    const { items, more } = await read(given)
    if (given.flags.get('json') === 'true') for (const item of items) console.log(JSON.stringify(item))
    else printTable(HEADINGS, items.map(rowOf))
    if (more) console.error(`There are older changes: add --limit ${items.length * 10}, or --before.`)
  },
}

function read(given: Arguments): Promise<{ items: Change[]; more: boolean }> {
  const request = requestOf(given)
  const limit = limitOf(given)
  return onHistory(given, 'undo', async ({ files, config }) => {
    const items: Change[] = []
    for (let before: string | undefined; ; before = items.at(-1)?.id) {
      const wanted = before === undefined ? request : { ...request, before }
      const page = await files.history.list(wanted, Math.min(PAGE, limit - items.length))
      items.push(...page.items.map(item => presentChange(item, config)))
      if (!page.more || items.length === limit) return { items, more: page.more }
    }
  })
}

/** @throws AppError `bad_request` */
function requestOf(given: Arguments): HistoryRequest {
  const { flags } = given
  const [username, kind, under] = [flags.get('user'), flags.get('kind'), flags.get('under')]
  if (kind !== undefined && !CHANGE_KINDS.some(known => known === kind))
    throw new AppError('bad_request', `--kind: '${kind}' is not one of ${CHANGE_KINDS.join(', ')}.`)
  const [from, to] = [timeOf(given, 'since'), timeOf(given, 'before')]
  return {
    path: under === undefined ? ROOT : parsePath(under),
    mine: false,
    ofSession: false,
    ...(username !== undefined && { username }),
    ...(kind !== undefined && { kind }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function timeOf({ flags }: Arguments, flag: string): number | undefined {
  const text = flags.get(flag)
  const time = text === undefined ? undefined : Date.parse(text)
  if (Number.isNaN(time)) throw new AppError('bad_request', `--${flag}: '${text}' is not a time.`)
  return time
}

function limitOf({ flags }: Arguments): number {
  const text = flags.get('limit') ?? String(USUAL_LIMIT)
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new AppError('bad_request', `--limit: '${text}' is not a number of changes.`)
  return Number(text)
}

const rowOf = ({ id, time, user, kind, state, count, folder, first }: Change): string[] => [
  id,
  time,
  printable(user),
  kind,
  state,
  String(count),
  printable(folder),
  printable(count > first.length ? `${first.join(', ')}, …` : first.join(', ')),
]
