import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll } from 'vitest'
import { CLIENT } from './client.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

/** A provider that says whatever a test wants. By default it is honest. */
export interface FalseProvider {
  issuer: string
  /** Claims of the next ID token, over the honest ones; `undefined` leaves one out. */
  claims: Record<string, unknown>
  /** Claims of UserInfo, with its `sub`. */
  userInfo: Record<string, unknown>
  /** Replaces the answer at a path. */
  answers: Map<string, Handler>
  /** Over its honest description. */
  description: Record<string, unknown>
  /** Signs something with its key. */
  sign(payload: JWTPayload, header?: Record<string, unknown>): Promise<string>
  /** Signs the next ID token instead. */
  signer: ((payload: JWTPayload) => Promise<string>) | undefined
  /** `nonce` for ID tokens. */
  nonce: string
  /** Bodies of the requests to its token endpoint. */
  asked: string[]
  publicKey: CryptoKey
  /** Honest from now on. */
  reset(): void
}

export const now = (): number => Math.floor(Date.now() / 1000)

/** Starts one for a file of tests. */
export async function startFalseProvider(): Promise<FalseProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const server = createServer((request, response) => {
    void text(request).then(body => answer(request, response, body))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const provider: FalseProvider = {
    issuer,
    claims: {},
    userInfo: { sub: 'ann-1', preferred_username: 'ann' },
    answers: new Map(),
    description: {},
    sign: (payload, header = {}) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(privateKey),
    signer: undefined,
    nonce: '',
    asked: [],
    publicKey,
    reset() {
      Object.assign(this, { claims: {}, description: {}, signer: undefined, asked: [] })
      this.userInfo = { sub: 'ann-1', preferred_username: 'ann' }
      this.answers.clear()
    },
  }
  const honest: Record<string, Handler> = {
    '/.well-known/openid-configuration': (_request, response) =>
      sendJson(response, { ...describe(issuer), ...provider.description }),
    '/jwks': async (_request, response) =>
      sendJson(response, { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', use: 'sig', alg: 'RS256' }] }),
    '/token': async (_request, response, body) => {
      provider.asked.push(body)
      const payload = { ...honestClaims(provider), ...provider.claims } as JWTPayload
      const id_token = await (provider.signer ?? provider.sign)(payload)
      sendJson(response, { access_token: 'an-access-token', token_type: 'Bearer', id_token })
    },
    '/userinfo': (_request, response) => sendJson(response, provider.userInfo),
  }
  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const handler = provider.answers.get(path) ?? honest[path]
    if (handler) void handler(request, response, body)
    else response.writeHead(404).end()
  }
  return provider
}

const describe = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  end_session_endpoint: `${issuer}/end`,
  jwks_uri: `${issuer}/jwks`,
  id_token_signing_alg_values_supported: ['RS256'],
  authorization_response_iss_parameter_supported: true,
})

const honestClaims = ({ issuer, nonce }: FalseProvider) => ({
  iss: issuer,
  sub: 'ann-1',
  aud: CLIENT.clientId,
  sid: 'session-1',
  iat: now(),
  exp: now() + 300,
  nonce,
})

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}
