import type { Route } from '../route.ts'

/**
 * The methods that a path below the base URL takes, sorted; `[]` for a path no route has. For the answer to a wrong
 * method (RFC 9110, 15.5.6).
 */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const methods = routes
    .filter(route => urlsOf(route).some(url => patternOf(url).test(path)))
    .flatMap(route => route.method)
  return [...new Set<string>(methods)].sort()
}

/**
 * The addresses of a route: one that takes a file path can be called without the slash behind its name, which asks for
 * the root (contract 1.2). Not where a parameter comes before the path, since the path is what tells them apart.
 */
export function urlsOf({ path }: Route): string[] {
  return path.endsWith('/*') && !path.includes(':') ? [path.slice(0, -2), path] : [path]
}

function patternOf(url: string): RegExp {
  const source = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source.replace(/\*$/, '.*')}$`)
}
