import { decodeEscapes } from '../../../../shared/bytes.ts'
import { type FilePath, PathError, parentOf, parsePath, ROOT } from '../../../../shared/path.ts'
import { apiUrl } from '../../../lib/api.ts'
import { href } from '../../../lib/router.tsx'
import type { Beside } from '../../files/items/related-urls.ts'

/** The file that a text is in. */
export interface Ground {
  /** Of the file; `''` for one that is shared alone. */
  path: string
  /** What is to be had beside it. */
  beside: Beside
}

/** Where a link in a text leads. */
export interface Target {
  /** To a file of this instance, a heading of the same text, or somewhere else. */
  kind: 'file' | 'heading' | 'away'
  href: string
}

/** The link as it stands in a file. `undefined` when it leads nowhere, or could do something else than lead. */
export function targetOf(link: string, { path, beside }: Ground): Target | undefined {
  if (link.startsWith('#')) return { kind: 'heading', href: link }
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(link)) return awayTo(link)
  const file = fileOf(link, path)
  const address = file && beside.page(file, isFolder(link))
  return address === undefined ? undefined : { kind: 'file', href: href(address) }
}

function awayTo(link: string): Target | undefined {
  const url = URL.parse(link, 'https://localhost')
  return url && /^(?:https?|mailto|tel):$/.test(url.protocol) ? { kind: 'away', href: url.href } : undefined
}

/** Address of a picture beside the file; `undefined` for one from elsewhere. */
export function sourceOf(link: string, { path, beside }: Ground): string | undefined {
  if (/^[a-z][a-z\d+.-]*:|^\/\/|^#|^$/i.test(link)) return undefined
  const file = fileOf(link, path)
  const call = file && beside.content(file)
  return call === undefined ? undefined : apiUrl(call)
}

const isFolder = (link: string): boolean => /\/(?:[?#].*)?$/.test(link)

/** The file that a link without a scheme names, seen from another; a slash in front begins at the root. */
export function fileOf(link: string, path: string): FilePath | undefined {
  const [address = ''] = link.split(/[?#]/, 1)
  const segments: string[] = []
  const base = address.startsWith('/') ? ROOT : parentOf(parsePath(path))
  for (const segment of [...base.split('/'), ...address.split('/').map(part => decodeEscapes(part) ?? part)]) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  try {
    return segments.some(segment => segment.includes('/')) ? undefined : parsePath(`/${segments.join('/')}`)
  } catch (error) {
    if (error instanceof PathError) return undefined
    throw error
  }
}
