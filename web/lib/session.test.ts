// @vitest-environment happy-dom
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, api, apiJson } from './api.ts'
import { preloadCall } from './preloaded-calls.ts'
import {
  currentToken,
  decodeToken,
  holdPage,
  login,
  logout,
  renew,
  sessionStore,
  startSession,
  TOKEN_KEY,
} from './session.ts'

/** A small test server; each test sets its response. */
const server = createServer((request, response) => {
  calls.push(`${request.method} ${request.url} ${request.headers['x-auth'] ?? '-'}`)
  answer(request, response)
})
let calls: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void

function token(name: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part({ user: { id: 1, username: name, locale: '', perm: { create: true } } })}.sig`
}

const FIRST = token('Zoë')
const SECOND = token('Zoë 2')

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  Object(window).happyDOM.setURL(`http://127.0.0.1:${port}/`)
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  calls = []
  localStorage.clear()
})

afterEach(async () => {
  answer = (_request, response) => response.end()
  await logout()
})

async function logIn(): Promise<void> {
  answer = (_request, response) => response.end(FIRST)
  await login('Zoë', 'secret')
  calls = []
}

describe('a preloaded call', () => {
  it('is taken by its first caller only', async () => {
    await logIn()
    answer = (_request, response) => response.end(`"${calls.length}"`)
    preloadCall('/api/resources/docs/', FIRST)
    expect(await apiJson('/api/resources/docs/')).toBe('1')
    expect(await apiJson('/api/resources/docs/')).toBe('2')
  })

  it('does not serve a call for another format', async () => {
    await logIn()
    answer = (_request, response) => response.end(`"${calls.length}"`)
    const headers = { Accept: 'application/vnd.filigree.listing' }
    preloadCall('/api/resources/docs/', FIRST, { headers })
    expect(await apiJson('/api/resources/docs/')).toBe('2')
    expect(await apiJson('/api/resources/docs/', { headers })).toBe('1')
  })

  it('is repeated when its token is no longer valid', async () => {
    await logIn()
    answer = (_request, response) => {
      response.statusCode = calls.length === 1 ? 401 : 200
      response.end('"now"')
    }
    preloadCall('/api/resources/docs/', SECOND)
    expect(await apiJson('/api/resources/docs/')).toBe('now')
    expect(calls).toEqual([`GET /api/resources/docs/ ${SECOND}`, `GET /api/resources/docs/ ${FIRST}`])
    expect(currentToken()).toBe(FIRST)
  })

  it('is not for the next user', async () => {
    answer = (_request, response) => response.end('"theirs"')
    preloadCall('/api/resources/docs/', SECOND)
    await logout()
    await logIn()
    answer = (_request, response) => response.end('"mine"')
    expect(await apiJson('/api/resources/docs/')).toBe('mine')
  })
})

describe('signing in', () => {
  it('keeps the token and the user, with every permission named', async () => {
    await logIn()
    expect(localStorage.getItem(TOKEN_KEY)).toBe(FIRST)
    expect(sessionStore.get().user).toMatchObject({ username: 'Zoë', perm: { create: true, admin: false } })
  })

  it('fails with the status, the code and the time to wait', async () => {
    answer = (_request, response) => {
      response
        .writeHead(429, { 'Retry-After': '30', 'X-Error-Code': 'too_many_attempts' })
        .end('429 Too Many Requests\n')
    }
    const failure = await login('Zoë', 'wrong').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({
      status: 429,
      code: 'too_many_attempts',
      message: '429 Too Many Requests',
      retryAfter: 30,
    })
    expect(sessionStore.get().user).toBeNull()
  })

  it.each(['', 'a.b', 'a.b.c.d', 'a.b.c', `x.${btoa('{}')}.y`, `x.${btoa('null')}.y`])('refuses the token %j', text => {
    expect(() => decodeToken(text)).toThrow('token malformed')
  })
})

describe('calls', () => {
  it('carry the token, never in the URL', async () => {
    await logIn()
    answer = (_request, response) => response.end('{"used":1,"total":2}')
    expect(await apiJson('/api/usage/')).toEqual({ used: 1, total: 2 })
    expect(calls).toEqual([`GET /api/usage/ ${FIRST}`])
  })

  it('renew the token when the server requests it, before the status is handled', async () => {
    await logIn()
    answer = (request, response) => {
      if (request.url === '/api/renew') response.end(SECOND)
      else response.writeHead(404, { 'X-Renew-Token': 'true' }).end('404 Not Found\n')
    }
    await expect(api('/api/resources/x')).rejects.toMatchObject({ status: 404 })
    expect(currentToken()).toBe(SECOND)
  })

  it('share one renewal', async () => {
    await logIn()
    answer = (_request, response) => response.end(SECOND)
    await Promise.all([renew(), renew(), renew()])
    expect(calls).toEqual([`POST /api/renew ${FIRST}`])
  })

  it('end the session on 401 with the reason', async () => {
    await logIn()
    answer = (_request, response) => response.writeHead(401).end('401 Unauthorized\n')
    await expect(api('/api/resources/')).rejects.toMatchObject({ status: 401 })
    expect(sessionStore.get()).toEqual({ user: null, reason: 'expired' })
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull()
  })

  it('keep the page of a user whose session has ended while a part holds it', async () => {
    await logIn()
    const release = holdPage()
    answer = (_request, response) => response.writeHead(401).end('401 Unauthorized\n')
    await expect(api('/api/resources/')).rejects.toMatchObject({ status: 401 })
    expect(sessionStore.get()).toMatchObject({ user: { username: 'Zoë' }, reason: 'expired' })
    expect([currentToken(), localStorage.getItem(TOKEN_KEY)]).toEqual([null, null])
    release()
    expect(sessionStore.get()).toEqual({ user: null, reason: 'expired' })
  })

  it('distinguish a lost connection from an aborted call', async () => {
    answer = (request, response) => void (request.url === '/lost' ? request.socket.destroy() : response.flushHeaders())
    await expect(api('/lost')).rejects.toMatchObject({ status: 0, message: '000 No connection' })
    const abort = new AbortController()
    const call = apiJson('/slow', { signal: abort.signal })
    setTimeout(() => abort.abort(), 50)
    await expect(call).rejects.toMatchObject({ status: 0, message: '001 Connection aborted' })
  })
})

describe('signing out', () => {
  it('is no end of the session by the server, even if another call is refused before the answer', async () => {
    await logIn()
    let answerLogout = () => {}
    answer = (request, response) => {
      if (request.url === '/api/logout') answerLogout = () => response.end()
      else response.writeHead(401).end()
    }
    const reasons: string[] = []
    const unsubscribe = sessionStore.subscribe(() => reasons.push(sessionStore.get().reason))
    const ended = logout()
    await expect(api('/api/resources/')).rejects.toMatchObject({ status: 401 })
    answerLogout()
    await ended
    unsubscribe()
    expect([...new Set(reasons)]).toEqual(['logout'])
  })

  it('does not wait for a browser that takes long to clear its cache', async () => {
    await logIn()
    let answerLogout = () => {}
    answer = (_request, response) => {
      answerLogout = () => response.writeHead(204).end()
    }
    const ended = logout()
    await vi.waitFor(() => expect(sessionStore.get()).toEqual({ user: null, reason: 'logout' }), 10_000)
    answerLogout()
    await ended
    expect(currentToken()).toBeNull()
  })

  it('ends the session on the server too', async () => {
    await logIn()
    answer = (_request, response) => response.writeHead(204).end()
    await logout()
    expect(calls).toEqual([`POST /api/logout ${FIRST}`])
    expect(sessionStore.get()).toEqual({ user: null, reason: 'logout' })
  })

  it('works without a connection', async () => {
    await logIn()
    answer = request => request.socket.destroy()
    await logout()
    expect(currentToken()).toBeNull()
  })
})

describe('start-up', () => {
  it('renews a stored token', async () => {
    localStorage.setItem(TOKEN_KEY, FIRST)
    answer = (_request, response) => response.end(SECOND)
    await startSession()
    expect(sessionStore.get().user?.username).toBe('Zoë 2')
  })

  it('forgets a token that the server refuses', async () => {
    localStorage.setItem(TOKEN_KEY, FIRST)
    answer = (_request, response) => response.writeHead(401).end()
    await startSession()
    expect(sessionStore.get()).toEqual({ user: null, reason: 'expired' })
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull()
  })

  it('keeps the session when the server is unreachable', async () => {
    localStorage.setItem(TOKEN_KEY, FIRST)
    answer = request => request.socket.destroy()
    await startSession()
    expect(sessionStore.get().user?.username).toBe('Zoë')
  })

  it('forgets a malformed token', async () => {
    localStorage.setItem(TOKEN_KEY, 'null')
    await startSession()
    expect(calls).toEqual([])
    expect(sessionStore.get()).toEqual({ user: null, reason: 'none' })
  })
})
