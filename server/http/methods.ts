import type { Route } from '../routing/route.ts'

/**
 * The methods that a path below the base URL takes, sorted; `[]` for a path no route has. For the answer to a wrong
 * method (RFC 9110, 15.5.6).
 */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const methods = routes
    .filter(route => urlsOf(route, routes).some(url => patternOf(url).test(path)))
    .flatMap(route => route.method)
  return [...new Set<string>(methods)].sort()
}

/**
 * The addresses of a route: one that takes a file path can be called without the slash behind its name, which asks for
 * the root (http-api 1.2), unless that is a path of a more general route.
 */
export function urlsOf({ path }: Route, routes: readonly Route[]): string[] {
  if (!path.endsWith('/*')) return [path]
  const bare = path.slice(0, -2)
  const isTaken = routes.some(other => other.path !== path && patternOf(other.path).test(bare))
  return isTaken ? [path] : [bare, path]
}

function patternOf(url: string): RegExp {
  const source = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source.replace(/\*$/, '.*')}$`)
}
