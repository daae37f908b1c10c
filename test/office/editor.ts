import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signedBytes } from '../../server/features/office/proof.ts'
import { type Answer, call } from '../api/client.ts'

/** Extensions that the editor opens. */
const EDITED = ['odt', 'docx', 'ods', 'txt']

/** How a request of the editor is signed. */
export interface Signing {
  /** Milliseconds since the epoch. */
  at?: number
  /** Other keys than those of the editor. */
  keys?: { current?: KeyObject; old?: KeyObject }
  /** Other than the address and the token of the request. */
  url?: string
  token?: string
}

/** An office editor on this machine: discovery, keys, and a page that takes the form of the interface. */
export interface Editor {
  url: string
  /** How often the discovery was read. */
  reads: number
  keys: { current: KeyPair; old: KeyPair }
  /** Answers the next requests for the discovery, in place of the usual answer. */
  answer: ((response: ServerResponse) => void) | undefined
  /** The fields of the forms that were sent to the editor. */
  opened: URLSearchParams[]
  /** Takes new keys; the present ones become the old ones. */
  rotate(): void
  headers(url: string, token: string, signing?: Signing): Record<string, string>
  close(): void
}

interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}

export const newKeys = (): KeyPair => generateKeyPairSync('rsa', { modulusLength: 1024 })

/** @param more `signs`: whether it has keys; `page`: what its frame shows */
export async function startEditor({ signs = true, page = '' } = {}): Promise<Editor> {
  const server = createServer((request, response) => {
    if (request.url === '/hosting/discovery') {
      editor.reads += 1
      if (editor.answer) return editor.answer(response)
      return void response.writeHead(200, { 'Content-Type': 'text/xml' }).end(discovery(editor, signs))
    }
    let body = ''
    request.on('data', piece => {
      body += piece
    })
    request.on('end', () => {
      editor.opened.push(new URLSearchParams(body))
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const editor: Editor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reads: 0,
    keys: { current: newKeys(), old: newKeys() },
    answer: undefined,
    opened: [],
    rotate() {
      editor.keys = { current: newKeys(), old: editor.keys.current }
    },
    headers(url, token, { at = Date.now(), keys = {}, ...signed } = {}) {
      const ticks = BigInt(Math.floor(at)) * 10_000n + 621_355_968_000_000_000n
      const bytes = signedBytes({ url, token, ...signed, ticks })
      const sign = (key: KeyObject) => createSign('RSA-SHA256').update(bytes).sign(key, 'base64')
      return {
        'X-WOPI-TimeStamp': String(ticks),
        'X-WOPI-Proof': sign(keys.current ?? editor.keys.current.privateKey),
        'X-WOPI-ProofOld': sign(keys.old ?? editor.keys.old.privateKey),
      }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return editor
}

/** The discovery of the editor, as XML. */
export function discovery({ url, keys: { current, old } }: Pick<Editor, 'url' | 'keys'>, signs = true): string {
  const actions = EDITED.map(
    ext =>
      `<action name="edit" ext="${ext}" urlsrc="${url}/edit?&lt;ui=UI_LLCC&amp;&gt;&lt;x=UNKNOWN&amp;&gt;"/>` +
      `<action name="view" ext="${ext}" urlsrc="${url}/view?"/>`,
  )
  actions.push(`<action name="view" ext="pdf" urlsrc="${url}/view?"/>`)
  const [now, before] = [current, old].map(({ publicKey }) => publicKey.export({ format: 'jwk' }))
  const plain = (text = '') => Buffer.from(text, 'base64url').toString('base64')
  const proof = `<proof-key modulus="${plain(now?.n)}" exponent="${plain(now?.e)}" oldmodulus="${plain(before?.n)}" oldexponent="${plain(before?.e)}" value="" oldvalue=""/>`
  return `<?xml version="1.0" encoding="utf-8"?><wopi-discovery><net-zone name="external-https"><app name="writer">${actions.join('')}</app></net-zone>${signs ? proof : ''}</wopi-discovery>`
}

export interface WopiCall {
  headers?: Record<string, string>
  body?: string | Buffer<ArrayBuffer>
  signing?: Signing | false
  token?: string
  id?: string
}

/** One document that the editor has open: its calls of the host. */
export interface OpenDocument {
  id: string
  token: string
  check(more?: WopiCall): Promise<Answer>
  get(more?: WopiCall): Promise<Answer>
  put(body: string, lock?: string, more?: WopiCall): Promise<Answer>
  /** `POST /wopi/files/:id` with an override. */
  post(override: string, headers?: Record<string, string>, more?: WopiCall): Promise<Answer>
  lock(lock: string, more?: WopiCall): Promise<Answer>
  unlock(lock: string, more?: WopiCall): Promise<Answer>
  refresh(lock: string): Promise<Answer>
  relock(old: string, lock: string): Promise<Answer>
}

/**
 * @param origin the address by which the host expects to be called
 * @param server where it really is
 */
export function documentOf(
  editor: Editor,
  { server, origin }: { server: { url: string }; origin: string },
  source: { id: string; token: string },
): OpenDocument {
  const send = (method: string, rest: string, { headers, body, signing = {}, ...other }: WopiCall = {}) => {
    const { id, token } = { ...source, ...other }
    const target = `/wopi/files/${id}${rest}?access_token=${token}&access_token_ttl=1`
    const proof = signing === false ? {} : editor.headers(origin + target, token, signing)
    return call(server, target, { method, headers: { ...proof, ...headers }, ...(body !== undefined && { body }) })
  }
  const post: OpenDocument['post'] = (override, headers = {}, more = {}) =>
    send('POST', '', { ...more, headers: { 'X-WOPI-Override': override, ...headers, ...more.headers } })
  return {
    ...source,
    check: more => send('GET', '', more),
    get: more => send('GET', '/contents', more),
    put: (body, lock, more = {}) =>
      send('POST', '/contents', {
        ...more,
        body,
        headers: { 'X-WOPI-Override': 'PUT', ...(lock !== undefined && { 'X-WOPI-Lock': lock }), ...more.headers },
      }),
    post,
    lock: (lock, more) => post('LOCK', { 'X-WOPI-Lock': lock }, more),
    unlock: (lock, more) => post('UNLOCK', { 'X-WOPI-Lock': lock }, more),
    refresh: lock => post('REFRESH_LOCK', { 'X-WOPI-Lock': lock }),
    relock: (old, lock) => post('LOCK', { 'X-WOPI-Lock': lock, 'X-WOPI-OldLock': old }),
  }
}
