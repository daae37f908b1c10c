import { createHash, randomBytes } from 'node:crypto'
import { type FilePath, nameOf } from '../../../shared/path.ts'
import type { Entry } from '../driver.ts'
import type { ListedObject, ObjectHead } from './objects.ts'

/** What a store tells of a thing, apart from its names. */
export type Facts = Pick<Entry, 'kind' | 'size' | 'modified' | 'mode' | 'version' | 'identity'>

const FILE_MODE = 0o640
const FOLDER_MODE = 0o750
const IDENTITY = 'x-amz-meta-filigree-id'
/** In seconds with nine decimals, as other programs write it, too: some read them as a number of nanoseconds. */
const MODIFIED = 'x-amz-meta-mtime'
/** Headers of an object that stay with it when it is copied. */
const KEPT = /^(?:content-(?:type|disposition|encoding|language)|cache-control|expires|x-amz-meta-.+)$/

export type Meta = Readonly<Record<string, string>>

/**
 * What is written with an object of ours. Another one with every write, so that no two are taken for the same.
 * @param modified milliseconds since the epoch
 */
export function newMeta(modified = Date.now(), identity = randomBytes(12).toString('hex')): Meta {
  return { [IDENTITY]: identity, [MODIFIED]: `${(modified / 1000).toFixed(6)}000` }
}

/** What a copy of an object is written with. @param own what is different of it */
export function copiedMeta({ headers }: ObjectHead, own: Meta): Meta {
  const kept = Object.entries(headers).filter(([name]) => KEPT.test(name))
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), ...own }
}

/** The only way from what a store tells to a file's facts. An object of others is known by what it holds and since when. */
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

/** @param marker of the folder; one that others made by their files alone has none */
export function folderFacts(key: string, marker: ObjectHead | undefined): Facts {
  const { identity, modified } = marker
    ? fileFacts({ ...marker, etag: 'folder' })
    : { identity: createHash('sha256').update(key).digest('hex').slice(0, 24), modified: 0 }
  return { kind: 'folder', size: 0, modified, mode: FOLDER_MODE, version: identity, identity }
}

export function entryOf(path: FilePath, facts: Facts): Entry {
  return { name: nameOf(path), path, canonical: path, isLink: false, ...facts }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Entries remembered, so that a listing asks only for what it has not seen. */
const REMEMBERED = 100_000
/** Milliseconds after which an object cannot be changed any more without its time telling. */
const SETTLED = 10_000

/** Facts of files by key, good as long as a listing tells the same ETag and time. */
export class KnownFacts {
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
