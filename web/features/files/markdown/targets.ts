import { decodeEscapes } from '../../../../shared/bytes.ts'
import { type FilePath, PathError, parentOf, parsePath, ROOT } from '../../../../shared/path.ts'
import { apiUrl } from '../../../lib/api.ts'
import { href } from '../../../lib/router.tsx'
import type { RelatedUrls } from '../items/related-urls.ts'

/** The file that contains the text. */
export interface LinkBase {
  /** Path of the file; `''` for one shared alone. */
  path: string
  /** Resolves relative references. */
  relatedUrls: RelatedUrls
}

/** Target of a link in a text. */
export interface Target {
  /** A file of this instance, a heading of the same text, or an external address. */
  kind: 'file' | 'heading' | 'away'
  href: string
}

/** Resolves a link of a file. `undefined` when it has no target, or a scheme other than those of links. */
export function targetOf(link: string, { path, relatedUrls }: LinkBase): Target | undefined {
  if (link.startsWith('#')) return { kind: 'heading', href: link }
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(link)) return externalTarget(link)
  const file = fileOf(link, path)
  const address = file && relatedUrls.page(file, isFolder(link))
  return address === undefined ? undefined : { kind: 'file', href: href(address) }
}

function externalTarget(link: string): Target | undefined {
  const url = URL.parse(link, 'https://localhost')
  return url && /^(?:https?|mailto|tel):$/.test(url.protocol) ? { kind: 'away', href: url.href } : undefined
}

/** URL of an image in the folder of the file; `undefined` for an external one. */
export function sourceOf(link: string, { path, relatedUrls }: LinkBase): string | undefined {
  if (/^[a-z][a-z\d+.-]*:|^\/\/|^#|^$/i.test(link)) return undefined
  const file = fileOf(link, path)
  const call = file && relatedUrls.content(file)
  return call === undefined ? undefined : apiUrl(call)
}

const isFolder = (link: string): boolean => /\/(?:[?#].*)?$/.test(link)

/** The file that a link without a scheme names, relative to another; a leading slash starts at the root. */
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
