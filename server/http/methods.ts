import type { Route } from '../routing/route.ts'

/**
 * The methods that a path below the base URL takes, sorted; `[]` for an unknown path. For the response to a wrong
 * method (RFC 9110, 15.5.6).
 */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const methods = routes
    .filter(route => urlsOf(route, routes).some(url => patternOf(url).test(path)))
    .flatMap(route => route.method)
  return [...new Set<string>(methods)].sort()
}

/**
 * The URLs of a route: one that takes a file path also matches without the slash after its name, which means the root
 * (http-api 1.2), unless that is a path of a more general route.
 */
export function urlsOf({ path }: Route, routes: readonly Route[]): string[] {
  if (!path.endsWith('/*')) return [path]
  const bare = path.slice(0, -2)
  const isTaken = routes.some(other => other.path !== path && patternOf(other.path).test(bare))
  return isTaken ? [path] : [bare, path]
}

/** Each one is compiled once: every route with a file path is compared with all others. */
const patterns = new Map<string, RegExp>()

function patternOf(url: string): RegExp {
  const known = patterns.get(url)
  if (known) return known
  const pattern = compile(url)
  patterns.set(url, pattern)
  return pattern
}

function compile(url: string): RegExp {
  const source = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source.replace(/\*$/, '.*')}$`)
}
