import type { TokenUser } from '../../shared/api/users.ts'
import { decodeEscapes } from '../../shared/bytes.ts'
import { encodePath, type FilePath, PathError, parsePath, ROOT } from '../../shared/path.ts'
import { pageConfig } from './config.ts'

/** The addresses of the interface, as data. Addresses here exclude the base URL: `/files/a%20b/`. */
export type Route =
  | { name: 'files'; path: FilePath; folderHint: boolean; as?: ShownAs; line?: number }
  | { name: 'snapshot'; path: FilePath; at: string; folderHint: boolean }
  | { name: 'trash'; id: string; path: FilePath; from: FilePath }
  | { name: 'marks'; page: MarksPage; tag?: string }
  | { name: 'history'; from: FilePath }
  | { name: 'usage'; path: FilePath }
  | ({ name: 'search' } & SearchPlace)
  | { name: 'login'; redirect: string; signUp: boolean; link: boolean }
  | { name: 'share'; hash: string; path: FilePath }
  | { name: 'settings'; page: SettingsPage; group?: string }
  | { name: 'settings'; page: 'user'; id: number | 'new' }
  | { name: 'error'; code: 403 | 404 | 500 }

/** Explicit ways to view a file; by default its type decides. */
export const SHOWN_AS = ['text', 'table', 'hex', 'paper', 'office'] as const
export type ShownAs = (typeof SHOWN_AS)[number]

/** What the page of a search shows. */
export interface SearchPlace {
  /** As typed. */
  query: string
  /** The folder in which the search began. */
  folder: FilePath
  /** Beyond that folder. */
  everywhere: boolean
  /** In contents instead of names. */
  inContents: boolean
}

/** The lists of what the user marked. */
export type MarksPage = 'starred' | 'recent' | 'tags'

export type RouteName = Route['name']

/** The pages of the settings, except for the editor of a single user. */
export const SETTINGS_PAGES = [
  'profile',
  'security',
  'connect',
  'shares',
  'global',
  'users',
  'groups',
  'mounts',
  'audit',
  'webhooks',
  'integrity',
  'diagnostics',
] as const
export type SettingsPage = (typeof SETTINGS_PAGES)[number]

/** A redirect to another address. */
export interface Redirect {
  name: 'redirect'
  to: string
}

const NOT_FOUND: Route = { name: 'error', code: 404 }
const HOME = '/files/'

/**
 * Decodes the path part of an address, segment by segment; the inverse of `encodePath`. A segment with an invalid
 * escape (`100%`, typed by hand) stays as it is. `undefined` when the result is not a valid path.
 */
export function decodeRoutePath(encoded: string): FilePath | undefined {
  const decoded = encoded.split('/').map(decodeSegment)
  // An escaped slash would silently become a separator.
  if (decoded.some(segment => segment.includes('/'))) return undefined
  try {
    return parsePath(decoded.join('/'))
  } catch (error) {
    if (error instanceof PathError) return undefined
    throw error
  }
}

function decodeSegment(segment: string): string {
  return decodeEscapes(segment) ?? segment
}

/** The address of a file, or of a folder (trailing slash). */
export function filesUrl(path: string, isFolder = false): string {
  const encoded = encodePath(path)
  return `/files${encoded}${isFolder && !encoded.endsWith('/') ? '/' : ''}`
}

/** The address of the disk usage of a folder. */
export const usageUrl = (folder: string): string => `/usage${encodePath(folder)}`

/** The address of a file in a certain view. */
export function shownUrl(path: string, as: ShownAs): string {
  return `${filesUrl(path)}?as=${as}`
}

/** The address of a line of a text. */
export function lineUrl(path: string, line: number): string {
  return `${shownUrl(path, 'text')}&line=${line}`
}

/** Address without the base URL; `undefined` when it lies outside of it. */
export function withoutBase(pathname: string, base: string): string | undefined {
  if (base === '') return pathname
  if (pathname === base) return '/'
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}

/** The route of an address, or its redirect. */
export function matchRoute(address: string, search: string): Route | Redirect {
  const [, first = ''] = address.split('/', 2)
  const rest = address.slice(first.length + 1)
  switch (first) {
    case 'files':
      return rest === '' ? redirectTo(HOME) : filesRoute(rest, search)
    case 'trash':
      return rest === '' ? redirectTo('/trash/') : trashRoute(rest, search)
    case 'starred':
    case 'recent':
      return { name: 'marks', page: first }
    case 'tags':
      return { name: 'marks', page: first, ...(rest.length > 1 && { tag: rest.slice(1) }) }
    case 'history':
      if (rest === '' || rest === '/') return { name: 'history', from: fromFolder(search) ?? ROOT }
      break
    case 'usage':
      return usageRoute(rest)
    case 'search':
      if (rest === '' || rest === '/') return searchRoute(search)
      break
    case 'login':
      if (rest.replace(/\/$/, '') === '') return loginRoute(search)
      break
    case 'share':
      return shareRoute(rest)
    case 'settings': {
      const route = settingsRoute(rest.replace(/^\/|\/$/g, ''))
      if (route) return route
      break
    }
    case '403':
    case '404':
    case '500':
      if (rest === '') return { name: 'error', code: Number(first) as 403 | 404 | 500 }
  }
  return redirectTo(`/files${address}`)
}

function redirectTo(to: string): Redirect {
  return { name: 'redirect', to }
}

function filesRoute(rest: string, search: string): Route {
  const path = decodeRoutePath(rest)
  if (path === undefined) return NOT_FOUND
  const wanted = new URLSearchParams(search)
  const at = wanted.get('at')
  if (at !== null) return { name: 'snapshot', path, at, folderHint: rest.endsWith('/') }
  const as = SHOWN_AS.find(way => way === wanted.get('as'))
  const line = Number(wanted.get('line'))
  return { name: 'files', path, folderHint: rest.endsWith('/'), ...(as && { as }), ...(line > 0 && { line }) }
}

function usageRoute(rest: string): Route {
  const path = decodeRoutePath(rest || '/')
  return path === undefined ? NOT_FOUND : { name: 'usage', path }
}

function searchRoute(search: string): Route {
  const wanted = new URLSearchParams(search)
  const folder = decodeRoutePath(wanted.get('in') ?? '/')
  if (folder === undefined) return NOT_FOUND
  const [everywhere, inContents] = [wanted.has('everywhere'), wanted.has('contents')]
  return { name: 'search', query: wanted.get('q') ?? '', folder, everywhere, inContents }
}

/** The address of a search. */
export function searchUrl({ query, folder, everywhere, inContents }: SearchPlace): string {
  const wanted = new URLSearchParams({ q: query })
  if (folder !== ROOT) wanted.set('in', encodePath(folder))
  if (folder !== ROOT && everywhere) wanted.set('everywhere', '')
  if (inContents) wanted.set('contents', '')
  return `/search?${wanted}`
}

/** `/trash/`, or `/trash/{id}/{path}`; `from` is the folder that the visitor came from. */
function trashRoute(rest: string, search: string): Route {
  const [, id = ''] = rest.split('/', 2)
  const path = decodeRoutePath(rest.slice(id.length + 1) || '/')
  const from = fromFolder(search)
  return path === undefined || from === undefined ? NOT_FOUND : { name: 'trash', id: decodeSegment(id), path, from }
}

/** The folder that the visitor came from. */
function fromFolder(search: string): FilePath | undefined {
  return decodeRoutePath(new URLSearchParams(search).get('from') ?? '/')
}

/** The address of the trash, from another one. */
export const trashUrl = (route: Route): string => `/trash/${fromQuery(route)}`

/** The address of the history, from another one. */
export const historyUrl = (route: Route): string => `/history/${fromQuery(route)}`

function fromQuery(route: Route): string {
  if (route.name !== 'files' || !route.folderHint || route.path === ROOT) return ''
  return `?from=${encodeURIComponent(encodePath(route.path))}`
}

function loginRoute(search: string): Route {
  const wanted = new URLSearchParams(search)
  return { name: 'login', redirect: redirectTarget(search), signUp: wanted.has('signup'), link: wanted.has('link') }
}

/**
 * @param rest the part after `/settings/`, without surrounding slashes
 */
function settingsRoute(rest: string): Route | Redirect | undefined {
  if (rest === '') return redirectTo('/settings/profile')
  const page = SETTINGS_PAGES.find(name => name === rest)
  if (page) return { name: 'settings', page }
  const group = /^groups\/([0-9a-z]+)$/.exec(rest)?.[1]
  if (group) return { name: 'settings', page: 'groups', group }
  const id = /^users\/(new|\d{1,15})$/.exec(rest)?.[1]
  return id === undefined ? undefined : { name: 'settings', page: 'user', id: id === 'new' ? id : Number(id) }
}

function shareRoute(rest: string): Route {
  const [, hash = ''] = rest.split('/', 2)
  const path = decodeRoutePath(rest.slice(hash.length + 1) || '/')
  return hash === '' || path === undefined ? NOT_FOUND : { name: 'share', hash: decodeSegment(hash), path }
}

/**
 * The target after sign-in: the `redirect` of the query if it is an address of this site, else the start page. The base
 * URL is added later, so a target can never leave it.
 */
export function redirectTarget(search: string): string {
  const wanted = new URLSearchParams(search).get('redirect') ?? ''
  // Browsers read `//host`, `/\host` and control characters in front of a slash as another site.
  if (!wanted.startsWith('/') || /^\/[/\\]|[\0-\x1f\x7f\\]/.test(wanted)) return HOME
  const url = new URL(wanted, 'http://localhost')
  if (url.origin !== 'http://localhost' || url.pathname.startsWith('//')) return HOME
  const first = url.pathname.split('/')[1]
  return first === 'login' ? HOME : url.pathname + url.search + url.hash
}

/** Sign-in address that returns to `address` afterwards. */
export function loginUrl(address: string): string {
  return address === HOME || address === '/' ? '/login' : `/login?redirect=${encodeURIComponent(address)}`
}

/**
 * The redirect of a user without access to `route`; `undefined` with access.
 * @param address the route's own address, with its query
 */
export function guard(route: Route, address: string, user: TokenUser | null): string | undefined {
  switch (route.name) {
    case 'login':
      return user && !route.link ? route.redirect : undefined
    case 'files':
    case 'snapshot':
    case 'trash':
    case 'marks':
    case 'history':
    case 'usage':
    case 'search':
      return user ? undefined : loginUrl(address)
    case 'settings':
      if (!user) return loginUrl(address)
      // Only once they are loaded it is known whether the user shares links in folders of other roots.
      return maySee(route.page, user, pageConfig.Mounts) ? undefined : '/403'
    case 'share':
    case 'error':
      return undefined
  }
}

/** Whether the user may open a settings page. @param sharesLinks whether they make links in folders of other roots */
export function maySee(page: SettingsPage | 'user', { perm }: TokenUser, sharesLinks: boolean | undefined): boolean {
  if (page === 'profile' || page === 'security') return true
  if (page === 'connect') return pageConfig.Dav
  if (page === 'webhooks') return perm.admin || pageConfig.UserWebhooks
  return page === 'shares' ? perm.share || sharesLinks === true : perm.admin
}

export { HOME as HOME_URL, ROOT }
