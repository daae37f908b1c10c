import { describe, expect, test } from 'vitest'
import { manager } from './accounts.ts'
import { type Answer, call, json } from './client.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
const { token } = await manager(wire)

const refused = (path: string, accept?: string): Promise<Answer> =>
  call(wire, path, { token, ...(accept === undefined ? {} : { headers: { Accept: accept } }) })
const PROBLEM = 'application/problem+json'

describe('problem details', () => {
  test('have the status, its phrase and the code', async () => {
    const answer = await refused('/api/resources/no-such-file', PROBLEM)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, `${PROBLEM}; charset=utf-8`])
    expect(answer.headers.get('x-error-code')).toBe('not_found')
    expect(json(answer)).toEqual({ type: 'about:blank', title: 'Not Found', status: 404, code: 'not_found' })
  })

  test('have the cause where the plain text names it', async () => {
    const plain = await refused('/api/why?path=/&action=nothing')
    const { detail, status } = json(await refused('/api/why?path=/&action=nothing', PROBLEM))
    expect(status).toBe(400)
    expect(plain.text).toBe(`400 Bad Request (${detail})\n`)
  })

  test.each([PROBLEM, `application/json, ${PROBLEM};q=0.5`, ` ${PROBLEM.toUpperCase()} , */*`])(
    'are sent to a client that accepts %s',
    async accept => {
      expect((await refused('/api/resources/no-such-file', accept)).headers.get('content-type')).toBe(
        `${PROBLEM}; charset=utf-8`,
      )
    },
  )

  test.each([undefined, '*/*', 'application/*', 'application/json', `${PROBLEM};q=0`])(
    'are not sent to a client that accepts %s',
    async accept => {
      const { headers, text } = await refused('/api/resources/no-such-file', accept)
      expect([headers.get('content-type'), text]).toEqual(['text/plain; charset=utf-8', '404 Not Found\n'])
    },
  )

  test('come from refusals before a handler runs, too', async () => {
    const answer = await call(wire, '/api/resources/', { headers: { Accept: PROBLEM } })
    expect(json(answer)).toEqual({ type: 'about:blank', title: 'Unauthorized', status: 401, code: 'unauthorized' })
  })

  test('come from a method that a path does not take', async () => {
    const how = { method: 'PUT', token, headers: { Accept: PROBLEM }, body: 'x' }
    const answer = await call(wire, '/api/resources/folder/', how)
    expect(json(answer)).toMatchObject({ status: 405, code: 'method_not_allowed' })
    expect(answer.headers.get('allow')).not.toBeNull()
  })
})
