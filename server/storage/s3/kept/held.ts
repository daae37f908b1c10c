import { putObject } from '../objects.ts'
import { readWhole } from '../read.ts'
import type { Scope } from '../scope.ts'
import { pagesOf } from './area.ts'
import type { Held, Note } from './note.ts'

/** Versions that a note names itself, and in each of its pages. */
const IN_NOTE = 100
const IN_PAGE = 1000

const pageKey = (scope: Scope, name: string, number: number) => pagesOf(scope, name) + String(number).padStart(6, '0')

/** Writes the pages of a thing. @returns what its note says of its versions */
export async function writeHeld(
  scope: Scope,
  name: string,
  held: readonly Held[],
): Promise<Pick<Note, 'held' | 'pages'>> {
  if (held.length <= IN_NOTE) return { held: [...held] }
  const pages = Math.ceil(held.length / IN_PAGE)
  for (let page = 0; page < pages; page += 1) {
    const some = held.slice(page * IN_PAGE, (page + 1) * IN_PAGE)
    await putObject(scope.client, pageKey(scope, name, page), Buffer.from(JSON.stringify(some)), {})
  }
  return { held: [], pages }
}

/** The versions that a thing consists of, in the order of their keys. */
export async function readHeld(scope: Scope, name: string, { held = [], pages = 0 }: Note): Promise<Held[]> {
  const all = [...held]
  for (let page = 0; page < pages; page += 1) all.push(...(await readPage(scope, name, page)))
  return all
}

/** Forgets the versions below a key of a thing. @returns what its note says of the others */
export async function withoutHeld(
  scope: Scope,
  name: string,
  { held = [], pages }: Note,
  isGone: (rest: string) => boolean,
): Promise<Pick<Note, 'held' | 'pages'>> {
  const stays = ({ rest }: Held) => !isGone(rest)
  for (let page = 0; page < (pages ?? 0); page += 1) {
    const some = await readPage(scope, name, page)
    const left = some.filter(stays)
    if (left.length === some.length) continue
    await putObject(scope.client, pageKey(scope, name, page), Buffer.from(JSON.stringify(left)), {})
  }
  return { held: held.filter(stays), ...(pages !== undefined && { pages }) }
}

const readPage = async ({ client, ...scope }: Scope, name: string, page: number): Promise<Held[]> =>
  JSON.parse((await readWhole({ client }, pageKey({ client, ...scope }, name, page))).toString())
