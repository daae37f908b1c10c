import type { Description, Route } from '../../routing/route.ts'

/** One route with one of its methods. */
export interface Call {
  /** Unique in the document. */
  id: string
  method: string
  /** As in the document: `/api/raw/{path}`. */
  path: string
  tag: string
  route: Route
  describes: Description
}

/** The calls of a route that the description has. */
export function callsOf(route: Route): Call[] {
  const { describes } = route
  const path = route.path.replace(/\*$/, '{path}').replace(/:(\w+)/g, '{$1}')
  const names = path.match(/[A-Za-z0-9]+/g) ?? []
  const tag = names.find(name => name !== 'api') ?? ''
  return [route.method].flat().map(method => {
    return { id: [method.toLowerCase(), ...names].join('_'), method, path, tag, route, describes }
  })
}
