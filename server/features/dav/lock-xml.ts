import type { LockScope } from '../../../shared/api/locks.ts'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { SeenLock } from '../../files/locks.ts'
import type { XmlElement } from '../../lib/xml-reader.ts'
import { LIMITS } from '../../limits.ts'
import { escapeText, writeElement } from './xml-writer.ts'

/** What the body of LOCK asks for. */
export interface LockInfo {
  scope: LockScope
  /** The content of `owner`, as XML. */
  ownerXml: string
}

/** Reads the body of LOCK (RFC 4918 14.11). @throws AppError `bad_request` for any other lock than one of writing */
export function lockInfoOf(root: XmlElement): LockInfo {
  const scope = only(child(root, 'lockscope'))
  const isForWriting = only(child(root, 'locktype'))?.local === 'write'
  if (!isDav(root, 'lockinfo') || !isForWriting || (scope?.local !== 'exclusive' && scope?.local !== 'shared'))
    throw new AppError('bad_request', 'the body must be a lockinfo of DAV')
  const ownerXml = (child(root, 'owner')?.children ?? []).map(contentOf).join('').trim()
  if (Buffer.byteLength(ownerXml) > LIMITS.lockOwner) throw new AppError('bad_request', 'the owner is too long')
  return { scope: scope.local, ownerXml }
}

const isDav = ({ namespace, local }: XmlElement, name: string) => namespace === 'DAV:' && local === name
const elements = ({ children }: XmlElement) => children.filter(inner => typeof inner !== 'string')
const child = (element: XmlElement, name: string) => elements(element).find(inner => isDav(inner, name))
const only = (element: XmlElement | undefined) =>
  element && elements(element).find(({ namespace }) => namespace === 'DAV:')
const contentOf = (inner: XmlElement | string) => (typeof inner === 'string' ? escapeText(inner) : writeElement(inner))

/** The content of `lockdiscovery` (RFC 4918 15.8). @param hrefOf the address of a path */
export function lockDiscovery(locks: readonly SeenLock[], hrefOf: (path: FilePath) => string): string {
  return locks.map(lock => activeLock(lock, hrefOf(lock.path))).join('')
}

function activeLock({ scope, deep, ownerXml, token, until, via, who }: SeenLock, root: string): string {
  const seconds = Math.max(0, Math.round((until - Date.now()) / 1000))
  return [
    '<D:activelock><D:locktype><D:write/></D:locktype>',
    `<D:lockscope><D:${scope}/></D:lockscope>`,
    `<D:depth>${deep ? 'infinity' : '0'}</D:depth>`,
    // The owner may be a name that the host does not show.
    who !== undefined && ownerXml && `<D:owner>${ownerXml}</D:owner>`,
    `<D:timeout>Second-${seconds}</D:timeout>`,
    // That of an office editor is for no other program.
    via === 'dav' && `<D:locktoken><D:href>${escapeText(token)}</D:href></D:locktoken>`,
    `<D:lockroot><D:href>${escapeText(root)}</D:href></D:lockroot></D:activelock>`,
  ]
    .filter(part => part !== false)
    .join('')
}

/** The content of `supportedlock` (RFC 4918 15.10). */
export const SUPPORTED_LOCKS = ['exclusive', 'shared']
  .map(
    scope => `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
  )
  .join('')
