import { expect, test } from 'vitest'
import type { Route } from '../routing/route.ts'
import { methodsAt } from './methods.ts'

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  access: 'public',
  describes: { summary: '', answers: {} },
  handler: async () => undefined,
})
const routes = [
  route('GET', '/api/files/*'),
  route(['GET', 'HEAD'], '/api/files/*'),
  route('DELETE', '/api/users/:id'),
  route('GET', '/api/files/sized/*'),
  route('GET', '/a.b'),
]

test.each([
  ['/api/files/', ['GET', 'HEAD']],
  ['/api/files/a/b', ['GET', 'HEAD']],
  ['/api/files', ['GET', 'HEAD']],
  ['/api/filesfoo', []],
  ['/api/files/sized', ['GET', 'HEAD']],
  ['/api/users/7', ['DELETE']],
  ['/api/users/7/x', []],
  ['/a.b', ['GET']],
  ['/aXb', []],
])('%s allows %j', (path, methods) => {
  expect(methodsAt(routes, path)).toEqual(methods)
})
