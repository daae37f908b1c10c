import type { Route } from '../../routing/route.ts'
import { type Document, describeApi } from './document.ts'
import { PAGE_POLICY, renderPage } from './page.ts'

/** What differs between installations. */
export interface About {
  /** `''` or `/…`. */
  baseURL: string
  version: string
}

/** The description of the API, for programs and for people; it contains nothing that is not in the source. */
export function openapiRoutes(routes: readonly Route[], about: About): Route[] {
  const own: Route[] = [
    {
      method: 'GET',
      path: '/api/openapi.json',
      access: 'public',
      describes: {
        summary: 'Get this description',
        answers: { 200: { text: 'An OpenAPI 3.1 document.', type: 'application/json' } },
      },
      handler: async (_request, reply) => reply.type('application/json; charset=utf-8').send(document()),
    },
    {
      method: ['GET', 'HEAD'],
      path: '/docs/api',
      access: 'public',
      describes: {
        summary: 'Read this description',
        answers: { 200: { text: 'A page for people.', type: 'text/html' } },
      },
      handler: async (_request, reply) =>
        reply
          .header('Content-Security-Policy', PAGE_POLICY)
          .type('text/html; charset=utf-8')
          .send(renderPage(document(), about.baseURL)),
    },
  ]
  let made: Document | undefined
  const document = () => {
    made ??= describeApi([...routes, ...own], about)
    return made
  }
  return own
}
