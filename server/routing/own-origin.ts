import type { FastifyRequest } from 'fastify'

/** Whether a request is of a page of this server: a browser sends the origin of the page, programs send none (http-api 13). */
export function isOwnOrigin({ headers: { origin }, host }: FastifyRequest): boolean {
  if (origin === undefined) return true
  const page = URL.parse(origin)
  return page !== null && page.host !== '' && page.host === URL.parse(`${page.protocol}//${host}`)?.host
}
