import {
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
} from 'react'
import { type FilePath, parentOf, ROOT } from '../../shared/path.ts'
import { pageConfig } from './config.ts'
import { type Ask, addBlocker, go, keepValue, keptValue, locationStore } from './history.ts'
import { matchRoute, type Redirect, type Route, withoutBase } from './route.ts'
import { useStore } from './store.ts'

export type { Route, RouteName, ShownAs } from './route.ts'
export { filesUrl, HOME_URL, historyUrl, lineUrl, shownUrl, trashUrl, usageUrl } from './route.ts'

/** The location: the route, its address without the base URL, and how it was reached. */
export interface Place {
  route: Route | Redirect
  /** Path and query without the base URL. */
  address: string
  /** Id of the history entry. */
  entry: string
  arrival: 'load' | 'push' | 'replace' | 'pop'
}

/** The full location; for guards and redirects at the application's root. Everything else uses `useRoute`. */
export function usePlace(): Place {
  const { pathname, search, id, arrival } = useStore(locationStore)
  const address = withoutBase(pathname, pageConfig.BaseURL) ?? '/'
  return { route: matchRoute(address, search), address: address + search, entry: id, arrival }
}

/** The current route. During a redirect it is the error route 404, which is never shown. */
export function useRoute(): Route {
  const { route } = usePlace()
  return route.name === 'redirect' ? { name: 'error', code: 404 } : route
}

/** The current route, outside React. */
export function currentRoute(): Route {
  const { pathname, search } = locationStore.get()
  const route = matchRoute(withoutBase(pathname, pageConfig.BaseURL) ?? '/', search)
  return route.name === 'redirect' ? { name: 'error', code: 404 } : route
}

/** Adds the base URL to an address such as `/files/`. */
export function href(to: string): string {
  return pageConfig.BaseURL + to
}

/** Navigates to an address without base URL. @returns false when a blocker refused */
export function navigate(to: string, options: { replace?: boolean } = {}): Promise<boolean> {
  return go(href(to), options.replace ?? false)
}

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** Address without the base URL. */
  to: string
  /** Replaces the current history entry. */
  replace?: boolean
  children?: ReactNode
}

/** A link that navigates within the page, and stays a real link for new tabs, copying and the like. */
export function Link({ to, replace = false, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain || (rest.target && rest.target !== '_self')) return
    event.preventDefault()
    void navigate(to, { replace })
  }
  return <a {...rest} href={href(to)} onClick={follow} />
}

/** While `when` holds, prompts before navigation, and has the browser prompt before the page is closed. */
export function useBlocker(when: boolean, ask: Ask): void {
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    if (!when) return
    return addBlocker(way => askNow(way))
  }, [when])
  useUnloadGuard(when)
}

/** While `when` holds, the browser prompts before the page is closed or reloaded. */
export function useUnloadGuard(when: boolean): void {
  useEffect(() => {
    if (!when) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [when])
}

/**
 * A value stored with the current history entry, available again after Back or a reload: a scroll offset, the focused
 * row. Reading is not reactive; setting does not render. Values must survive JSON.
 */
export function useHistoryState<T>(key: string): { read: () => T | undefined; write: (value: T) => void } {
  const { id } = useStore(locationStore)
  const read = useCallback(() => keptValue(id, key) as T | undefined, [id, key])
  const write = useCallback((value: T) => keepValue(id, key, value), [id, key])
  return { read, write }
}

/** The current folder: for a file the one that holds it, outside the files the root. */
export function folderOf(route: Route): FilePath {
  if (route.name !== 'files') return ROOT
  return route.folderHint ? route.path : parentOf(route.path)
}

export function currentFolder(): FilePath {
  return folderOf(currentRoute())
}

/** The same; re-renders when it changes. */
export function useCurrentFolder(): FilePath {
  return folderOf(useRoute())
}
