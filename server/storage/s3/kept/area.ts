import { randomBytes } from 'node:crypto'
import { ROOT, trustedChild } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { KeptAt } from '../../driver.ts'
import { fileKey, nameIn } from '../keys.ts'
import type { Facts } from '../object-metadata.ts'
import { putObject } from '../objects.ts'
import { readWhole } from '../read.ts'
import { unlessMissing } from '../s3-errors.ts'
import type { Scope } from '../scope.ts'
import type { Note } from './note.ts'
import { erase } from './versioning.ts'

/** Notes that are remembered. */
const REMEMBERED = 50_000

const inArea = ({ area }: Pick<Scope, 'area'>, part: string) => `${area}kept/${part}/`
const keyIn = (scope: Pick<Scope, 'area'>, part: string, name: string) =>
  fileKey(inArea(scope, part), trustedChild(ROOT, name))

/** Prefix of the copies of deleted things. */
export const filesIn = (scope: Pick<Scope, 'area'>): string => inArea(scope, 'files')
export const notesIn = (scope: Pick<Scope, 'area'>): string => inArea(scope, 'info')
export const leavingIn = (scope: Pick<Scope, 'area'>): string => inArea(scope, 'leaving')
export const versionsIn = (scope: Pick<Scope, 'area'>): string => inArea(scope, 'versions')

/** Key of the copy of a thing; of a folder the prefix. */
export const copyKey = (scope: Pick<Scope, 'area'>, name: string, kind: Facts['kind']): string =>
  keyIn(scope, 'files', name) + (kind === 'folder' ? '/' : '')
export const noteKey = (scope: Pick<Scope, 'area'>, name: string): string => keyIn(scope, 'info', name)
export const leavingKey = (scope: Pick<Scope, 'area'>, name: string): string => keyIn(scope, 'leaving', name)
/** Prefix of the lists of versions that a thing consists of. */
export const pagesOf = (scope: Pick<Scope, 'area'>, name: string): string => `${keyIn(scope, 'pages', name)}/`
/** Key of a former content of a file, or of the object that names its version. */
export const versionKey = (scope: Pick<Scope, 'area'>, name: string): string => keyIn(scope, 'versions', name)
/** Key of what is written about a former content. */
export const listKey = (scope: Pick<Scope, 'area'>, name: string): string => keyIn(scope, 'list', name)

/** The name that the last part of a key stands for. */
export const nameOfKey = (key: string): string | undefined => nameIn(key.slice(key.lastIndexOf('/') + 1))

/**
 * Identity of the bucket's area: an object in it, so that another bucket at the same address is not mistaken for it.
 * @returns `undefined` where nothing was kept yet
 */
export async function areaOf(scope: Scope): Promise<string | undefined> {
  const { kept, client, area } = scope
  kept.area ??= (await unlessMissing(readWhole({ client }, `${area}kept/mark`)))?.toString()
  return kept.area
}

/** The same; made if it is missing. */
export async function demandArea(scope: Scope): Promise<string> {
  const there = await areaOf(scope)
  if (there !== undefined) return there
  const mark = Buffer.from(randomBytes(12).toString('hex'))
  await putObject(scope.client, `${scope.area}kept/mark`, mark, {}, { ifAbsent: true }).catch(unlessMade)
  return (await areaOf(scope)) ?? ''
}

function unlessMade(thrown: unknown): void {
  if (!(thrown instanceof AppError) || thrown.code !== 'precondition_failed') throw thrown
}

/** @throws unavailable when the area is not that of the bucket */
export async function demandThisArea(scope: Scope, { area }: Pick<KeptAt, 'area'>): Promise<void> {
  if ((await areaOf(scope)) === area) return
  throw new AppError('unavailable', 'the bucket with the deleted files is not there')
}

/** @param etag of the note, if a listing has it */
export async function readNote(scope: Scope, name: string, etag?: string): Promise<Note | undefined> {
  const key = noteKey(scope, name)
  const known = scope.kept.notes.get(key)
  if (known && known.etag === etag) return known.note
  const answer = await unlessMissing(scope.client.ask({ method: 'GET', key }))
  if (!answer) return undefined
  const note = JSON.parse(answer.body.toString()) as Note
  remember(scope, key, String(answer.headers.etag).replaceAll('"', ''), note)
  return note
}

export async function writeNote(scope: Scope, name: string, note: Note): Promise<void> {
  const key = noteKey(scope, name)
  remember(scope, key, await putObject(scope.client, key, Buffer.from(JSON.stringify(note)), {}), note)
}

export async function eraseNote(scope: Scope, name: string): Promise<void> {
  scope.kept.notes.delete(noteKey(scope, name))
  await erase(scope, noteKey(scope, name))
}

function remember({ kept }: Scope, key: string, etag: string, note: Note): void {
  kept.notes.delete(key)
  kept.notes.set(key, { etag, note })
  const [oldest] = kept.notes.keys()
  if (kept.notes.size > REMEMBERED && oldest !== undefined) kept.notes.delete(oldest)
}
