import { createHash, randomBytes } from 'node:crypto'
import { type FilePath, nameOf } from '../../../shared/path.ts'
import type { Entry } from '../driver.ts'
import type { ObjectHead } from './objects.ts'
import type { ListedObject } from './page.ts'

/** What a store reports for an object, apart from its names. */
export type Facts = Pick<Entry, 'kind' | 'size' | 'modified' | 'mode' | 'version' | 'identity' | 'isNameOnly'>

const FILE_MODE = 0o640
const FOLDER_MODE = 0o750
const IDENTITY = 'x-amz-meta-filigree-id'
/** In seconds with nine decimals, the form that other programs write, too: some read an integer as nanoseconds. */
const MODIFIED = 'x-amz-meta-mtime'
/** Headers that are kept when an object is copied. */
const KEPT = /^(?:content-(?:type|disposition|encoding|language)|cache-control|expires|x-amz-meta-.+)$/

export type Meta = Readonly<Record<string, string>>

/** Few enough that a condition with two entity tags and the token of a lock fits into 199 characters, where some clients cut it. */
const IDENTITY_BYTES = 11

/**
 * Metadata of an object that we write. The identity differs for every write, so that no two objects are mistaken for
 * each other.
 * @param modified milliseconds since the epoch
 */
export function newMeta(modified = Date.now(), identity = randomBytes(IDENTITY_BYTES).toString('hex')): Meta {
  return { [IDENTITY]: identity, [MODIFIED]: `${(modified / 1000).toFixed(6)}000` }
}

/** The identity of an object with metadata that we write. */
export const identityIn = (meta: Meta): string => meta[IDENTITY] ?? ''

/** Metadata of a copy. @param own values that differ from the original's */
export function copiedMeta({ headers }: ObjectHead, own: Meta): Meta {
  const kept = Object.entries(headers).filter(([name]) => KEPT.test(name))
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), ...own }
}

/**
 * The only conversion from a store's headers to a file's facts. A foreign object is identified by its content and time.
 */
export function fileFacts({ etag, size, changed, headers }: Omit<ObjectHead, 'headers'> & { headers: unknown }): Facts {
  const meta = headers as ObjectHead['headers']
  const identity = textOf(meta[IDENTITY]) ?? `${etag}.${changed.toString(36)}`
  const modified = Number(textOf(meta[MODIFIED]) ?? Number.NaN) * 1000
  return {
    kind: 'file',
    size,
    modified: Number.isFinite(modified) ? modified : changed,
    mode: FILE_MODE,
    version: `${etag}-${identity}`,
    identity,
  }
}

/** @param marker of the folder; a folder that exists only through foreign files has none */
export function folderFacts(key: string, marker: ObjectHead | undefined): Facts {
  const { identity, modified } = marker
    ? fileFacts({ ...marker, etag: 'folder' })
    : { identity: createHash('sha256').update(key).digest('hex').slice(0, 24), modified: 0 }
  const facts = { kind: 'folder', size: 0, modified, mode: FOLDER_MODE, version: identity, identity } as const
  return marker ? facts : { ...facts, isNameOnly: true }
}

export function entryOf(path: FilePath, facts: Facts): Entry {
  return { name: nameOf(path), path, canonical: path, isLink: false, ...facts }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Cached entries, so that a listing queries only unknown objects. */
const REMEMBERED = 100_000
/** Milliseconds after which every further change of an object changes its time. */
const SETTLED = 10_000

/** A cache of file facts by key, valid while a listing reports the same ETag and time. */
export class FactsCache {
  readonly #known = new Map<string, { seal: string; facts: Facts }>()

  get({ key, etag, changed }: ListedObject): Facts | undefined {
    const known = this.#known.get(key)
    if (known?.seal !== sealOf(etag, changed)) return undefined
    this.#known.delete(key)
    this.#known.set(key, known)
    return known.facts
  }

  put({ key, etag, changed }: ListedObject, facts: Facts): void {
    if (Date.parse(changed) > Date.now() - SETTLED) return
    this.#known.set(key, { seal: sealOf(etag, changed), facts })
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest)
  }
}

const sealOf = (etag: string, changed: string) => `${etag} ${changed}`
