import type { Route } from '../route.ts'

/**
 * The methods that a path below the base URL takes, sorted; `[]` for a path no route has. For the answer to a wrong
 * method (RFC 9110, 15.5.6).
 */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const methods = routes.filter(route => patternOf(route.path).test(path)).flatMap(route => route.method)
  return [...new Set<string>(methods)].sort()
}

function patternOf(route: string): RegExp {
  const source = route.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source.replace(/\*$/, '.*')}$`)
}
