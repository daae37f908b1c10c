import type { FilePath } from '../../../shared/path.ts'
import { mimeOf } from '../../file-types/file-type.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { etagOf } from '../../responses/conditions.ts'
import { httpDate, rfc3339 } from '../../responses/serializers.ts'
import { lockDiscovery, SUPPORTED_LOCKS } from './lock-xml.ts'
import { DAV } from './read-xml.ts'
import { escapeText } from './xml-writer.ts'

/** Of Microsoft's programs. */
export const MICROSOFT = 'urn:schemas-microsoft-com:'

/** What the properties of one request are made of. */
export interface PropertySource {
  /** Whether the caller may replace files. */
  mayWrite: boolean
  /** The name of the root. */
  rootName: string
  /** The content of `lockdiscovery`. */
  locksAt(path: FilePath): string
  /** Of the disk of the requested folder, in bytes; asked for once. */
  usage?: { total: number; used: number }
}

/** The content of a property's element; `undefined` where an entry does not have it. */
type Live = (entry: Entry, source: PropertySource) => string | undefined

const ofFiles =
  (value: (entry: Entry) => string): Live =>
  entry =>
    entry.kind === 'file' ? value(entry) : undefined
const ofFolders =
  (value: (source: PropertySource) => string | undefined): Live =>
  ({ kind }, source) =>
    kind === 'folder' ? value(source) : undefined

const flag = (is: boolean) => (is ? '1' : '0')

/** Properties that clients get unless they name others (RFC 4918, 9.1). */
const USUAL: Readonly<Record<string, Live>> = {
  resourcetype: ({ kind }) => (kind === 'folder' ? '<D:collection/>' : ''),
  displayname: ({ name }, { rootName }) => escapeText(name === '' ? rootName : name),
  getcontentlength: ofFiles(({ size }) => String(size)),
  getlastmodified: ({ modified }) => httpDate(modified),
  creationdate: ({ modified }) => rfc3339(modified),
  getetag: ofFiles(({ version }) => escapeText(etagOf(version))),
  getcontenttype: ofFiles(({ name }) => escapeText(mimeOf(name))),
  lockdiscovery: ({ path }, { locksAt }) => locksAt(path),
  supportedlock: () => SUPPORTED_LOCKS,
}

/** Those that have to be named: of RFC 4331, and of programs. */
const FURTHER: Readonly<Record<string, Live>> = {
  'quota-available-bytes': ofFolders(({ usage }) => usage && String(Math.max(usage.total - usage.used, 0))),
  'quota-used-bytes': ofFolders(({ usage }) => usage && String(usage.used)),
  lastmodified: ({ modified }) => String(Math.floor(modified / 1000)),
  iscollection: ({ kind }) => flag(kind === 'folder'),
  ishidden: ({ name }) => flag(name.startsWith('.')),
  isreadonly: (_entry, { mayWrite }) => flag(!mayWrite),
}

const ALL: Readonly<Record<string, Live>> = { ...USUAL, ...FURTHER }

/** The modification time as programs of Microsoft name it. */
export const MICROSOFT_TIME = 'Win32LastModifiedTime'

/** Names of the properties that are computed. */
export const USUAL_NAMES = Object.keys(USUAL)

/** A computed property; `undefined` for names that only programs set. */
export function liveProperty(namespace: string, local: string): Live | undefined {
  if (namespace === MICROSOFT && local === MICROSOFT_TIME) return ALL.getlastmodified
  return namespace === DAV && Object.hasOwn(ALL, local) ? ALL[local] : undefined
}

/** Whether the server owns a name, so that no program sets or removes it. */
export const isProtected = (name: { namespace: string; local: string }): boolean =>
  name.namespace === DAV || (name.namespace === MICROSOFT && name.local === MICROSOFT_TIME)

/** What the properties of a request need to know beyond its entries. @param rootOf the address of a locked path */
export async function sourceOf(
  own: Files,
  entry: Entry,
  { requestsUsage, rootOf }: { requestsUsage: boolean; rootOf(path: FilePath): string },
): Promise<PropertySource> {
  const usage = requestsUsage ? await own.usage(entry.path).catch(() => undefined) : undefined
  const isKnown = usage !== undefined && usage.total > 0
  const locks = await own.locks.inside(entry.path)
  const locksAt = (path: FilePath) => lockDiscovery(locks(path), rootOf)
  return {
    locksAt,
    mayWrite: own.may('replace', entry.path),
    rootName: own.rootName || 'Filigree',
    ...(isKnown && { usage }),
  }
}
