import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { decodeEscapes } from '../../../shared/bytes.ts'
import { demandHeader, type ObjectStore } from './client.ts'
import type { ListedObject, ListPage, PageOptions } from './page.ts'
import { escaped } from './sign.ts'
import { elementsOf, fitsXml, textIn, xmlText } from './xml.ts'

/** What a store reports for one object. */
export interface ObjectHead {
  size: number
  /** Without quotes. */
  etag: string
  /** Milliseconds since the epoch, in whole seconds: not all responses have more. */
  changed: number
  headers: IncomingHttpHeaders
}

/** Precondition of publishing: no object exists, or one with this ETag. */
export type Condition = { ifAbsent: true } | { etag: string } | undefined

type Headers = Readonly<Record<string, string>>

/** Largest object that is copied in one request, and largest part of a multipart copy, in bytes. */
export const COPY_AT_ONCE = 5 * 1024 ** 3
const COPY_PART = 1024 ** 3
/** Milliseconds that a store may work on a server-side operation without sending a byte. */
const LONG_PATIENCE = 10 * 60_000
/** Maximum number of keys per delete request. */
export const REMOVED_AT_ONCE = 1000

/** @param version of the object; the current one unless given @throws not_found */
export async function headObject(client: ObjectStore, key: string, version?: string): Promise<ObjectHead> {
  const { headers } = await client.ask({ method: 'HEAD', key, query: versionQuery(version) })
  return headOf(headers, Number(demandHeader(headers, 'content-length')))
}

export function headOf(headers: IncomingHttpHeaders, size: number): ObjectHead {
  const changed = Date.parse(headers['last-modified'] ?? '')
  return { size, etag: unquoted(demandHeader(headers, 'etag')), changed, headers }
}

export const versionQuery = (versionId: string | undefined): Headers => (versionId === undefined ? {} : { versionId })

/** The bytes of an object with a known ETag. @throws unavailable once it was replaced */
export function openObject(client: ObjectStore, key: string, etag: string, range: string): Promise<IncomingMessage> {
  return client.open({ method: 'GET', key, headers: { range, 'if-match': `"${etag}"` } })
}

/** Puts an object, all or nothing. @returns its ETag @throws precondition_failed */
export async function putObject(
  client: ObjectStore,
  key: string,
  body: Buffer,
  meta: Headers,
  condition?: Condition,
): Promise<string> {
  const headers = { ...meta, ...conditionHeaders(condition) }
  return unquoted(demandHeader((await client.ask({ method: 'PUT', key, body, headers })).headers, 'etag'))
}

/** One version of an object; the current one without an id, which then becomes a former one in a versioned bucket. */
export interface ObjectVersion {
  key: string
  version?: string
}

/** Succeeds if it is missing. */
export async function removeObject(client: ObjectStore, key: string, version?: string): Promise<void> {
  await client.ask({ method: 'DELETE', key, query: versionQuery(version) })
}

/** Removes many objects; missing ones are ignored. */
export const removeObjects = (client: ObjectStore, keys: readonly string[]): Promise<void> =>
  removeVersions(
    client,
    keys.map(key => ({ key })),
  )

/** Removes many versions of objects; missing ones are ignored. */
export async function removeVersions(client: ObjectStore, versions: readonly ObjectVersion[]): Promise<void> {
  const [together, alone] = [versions.filter(({ key }) => fitsXml(key)), versions.filter(({ key }) => !fitsXml(key))]
  for (let start = 0; start < together.length; start += REMOVED_AT_ONCE) {
    await removeTogether(client, together.slice(start, start + REMOVED_AT_ONCE))
  }
  for (const { key, version } of alone) await removeObject(client, key, version)
}

async function removeTogether(client: ObjectStore, versions: readonly ObjectVersion[]): Promise<void> {
  const objects = versions
    .map(({ key, version }) => {
      const id = version === undefined ? '' : `<VersionId>${xmlText(version)}</VersionId>`
      return `<Object><Key>${xmlText(key)}</Key>${id}</Object>`
    })
    .join('')
  const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects}</Delete>`)
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
  await client.ask({ method: 'POST', query: { delete: '' }, body, headers })
}

/** One page of keys; with `delimited` the content of folders is represented by their prefixes. */
export async function listPage(client: ObjectStore, prefix: string, how: PageOptions = {}): Promise<ListPage> {
  if (client.list) return client.list(prefix, how)
  const query = {
    'list-type': '2',
    'encoding-type': 'url',
    prefix,
    ...(how.delimited && { delimiter: '/' }),
    ...(how.most && { 'max-keys': String(how.most) }),
    ...(how.next !== undefined && { 'continuation-token': how.next }),
  }
  const xml = (await client.ask({ method: 'GET', query })).body.toString()
  const folders = elementsOf(xml, 'CommonPrefixes').map(element => keyIn(element, 'Prefix'))
  const objects = elementsOf(xml, 'Contents').map(listedObject)
  const truncated = textIn(xml, 'IsTruncated') === 'true'
  return { objects, folders, next: truncated ? textIn(xml, 'NextContinuationToken') : undefined }
}

/** All keys with a prefix, page by page. */
export async function* listAll(client: ObjectStore, prefix: string, delimited = false): AsyncGenerator<ListPage> {
  let next: string | undefined
  do {
    const page = await listPage(client, prefix, { delimited, next })
    yield page
    next = page.next
  } while (next !== undefined)
}

function listedObject(element: string): ListedObject {
  return {
    key: keyIn(element, 'Key'),
    size: Number(textIn(element, 'Size')),
    etag: unquoted(textIn(element, 'ETag')),
    changed: textIn(element, 'LastModified'),
  }
}

/** Keys are percent-encoded, with spaces possibly as `+`. */
export function keyIn(element: string, name: string): string {
  const encoded = textIn(element, name).replaceAll('+', ' ')
  return decodeEscapes(encoded) ?? encoded
}

/** An object that is copied. */
export interface CopySource {
  key: string
  head: Pick<ObjectHead, 'size' | 'etag'>
  /** The current one unless given. */
  version?: string | undefined
}

/**
 * Copies an object within the store, without transferring its bytes.
 * @param meta headers of the copy; default: those of the source
 * @returns the ETag of the copy
 * @throws precondition_failed, also when the source was replaced
 */
export async function copyObject(
  client: ObjectStore,
  source: CopySource,
  key: string,
  meta: Headers,
  condition: Condition,
): Promise<string> {
  if (source.head.size > COPY_AT_ONCE) return copyInParts(client, source, key, meta, condition)
  const headers = {
    ...meta,
    ...copySource(client, source),
    ...conditionHeaders(condition),
    'x-amz-metadata-directive': 'REPLACE',
  }
  const { body } = await client.ask({ method: 'PUT', key, headers, patience: LONG_PATIENCE })
  return unquoted(textIn(body.toString(), 'ETag'))
}

async function copyInParts(
  client: ObjectStore,
  source: CopySource,
  key: string,
  meta: Headers,
  condition: Condition,
): Promise<string> {
  const id = await beginParts(client, key, meta)
  try {
    const parts: Part[] = []
    for (let start = 0; start < source.head.size; start += COPY_PART) {
      const end = Math.min(start + COPY_PART, source.head.size) - 1
      const headers = { ...copySource(client, source), 'x-amz-copy-source-range': `bytes=${start}-${end}` }
      const query = { partNumber: String(parts.length + 1), uploadId: id }
      const { body } = await client.ask({ method: 'PUT', key, query, headers, patience: LONG_PATIENCE })
      parts.push({ number: parts.length + 1, size: end + 1 - start, etag: unquoted(textIn(body.toString(), 'ETag')) })
    }
    return await completeParts(client, key, id, parts, condition)
  } catch (thrown) {
    await abortParts(client, key, id).catch(() => {})
    throw thrown
  }
}

function copySource(client: ObjectStore, { key, head, version }: CopySource): Headers {
  const path = `/${client.bucket}/${key.split('/').map(escaped).join('/')}`
  const whole = version === undefined ? path : `${path}?versionId=${escaped(version)}`
  return { 'x-amz-copy-source': whole, 'x-amz-copy-source-if-match': `"${head.etag}"` }
}

/** A part of a multipart upload. */
export interface Part {
  number: number
  size: number
  etag: string
}

/** Starts a multipart upload. @returns its upload id */
export async function beginParts(client: ObjectStore, key: string, meta: Headers): Promise<string> {
  const { body } = await client.ask({ method: 'POST', key, query: { uploads: '' }, headers: meta })
  return textIn(body.toString(), 'UploadId')
}

export async function putPart(
  client: ObjectStore,
  key: string,
  id: string,
  number: number,
  body: Buffer,
): Promise<Part> {
  const query = { partNumber: String(number), uploadId: id }
  const { headers } = await client.ask({ method: 'PUT', key, query, body })
  return { number, size: body.length, etag: unquoted(demandHeader(headers, 'etag')) }
}

/** Completes a multipart upload, all or nothing. @returns the object's ETag @throws precondition_failed, not_found */
export async function completeParts(
  client: ObjectStore,
  key: string,
  id: string,
  parts: readonly Part[],
  condition?: Condition,
): Promise<string> {
  const lines = parts.map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag></Part>`)
  const { body } = await client.ask({
    method: 'POST',
    key,
    query: { uploadId: id },
    headers: conditionHeaders(condition),
    body: Buffer.from(`<CompleteMultipartUpload>${lines.join('')}</CompleteMultipartUpload>`),
    patience: LONG_PATIENCE,
  })
  return unquoted(textIn(body.toString(), 'ETag'))
}

export async function abortParts(client: ObjectStore, key: string, id: string): Promise<void> {
  await client.ask({ method: 'DELETE', key, query: { uploadId: id } })
}

/** The parts of a multipart upload, in order. @throws not_found */
export async function listParts(client: ObjectStore, key: string, id: string): Promise<Part[]> {
  const parts: Part[] = []
  for (let marker = '0'; ; ) {
    const query = { uploadId: id, 'part-number-marker': marker }
    const xml = (await client.ask({ method: 'GET', key, query })).body.toString()
    for (const element of elementsOf(xml, 'Part')) {
      const etag = unquoted(textIn(element, 'ETag'))
      parts.push({ number: Number(textIn(element, 'PartNumber')), size: Number(textIn(element, 'Size')), etag })
    }
    const next = textIn(xml, 'NextPartNumberMarker')
    if (textIn(xml, 'IsTruncated') !== 'true' || next === marker) return parts
    marker = next
  }
}

/** Ids of the multipart uploads of exactly this key. */
export async function findUploads(client: ObjectStore, key: string): Promise<string[]> {
  const query = { uploads: '', prefix: key, 'encoding-type': 'url' }
  const xml = (await client.ask({ method: 'GET', query })).body.toString()
  const found = elementsOf(xml, 'Upload').filter(element => keyIn(element, 'Key') === key)
  return found.map(element => textIn(element, 'UploadId'))
}

function conditionHeaders(condition: Condition): Headers {
  if (condition === undefined) return {}
  return 'etag' in condition ? { 'if-match': `"${condition.etag}"` } : { 'if-none-match': '*' }
}

export const unquoted = (etag: string) => etag.replace(/^W\/|"/g, '')
