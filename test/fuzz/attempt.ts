import type { Parameter } from '../../server/features/openapi/document.ts'
import type { DescribedCall } from '../api/description.ts'
import { type Dice, diceFor } from './dice.ts'
import { anyValue, fittingValue, HOSTILE_TEXTS, mutate, type Source } from './values.ts'

export const WHO = ['admin', 'poor', 'nobody'] as const
export type Who = (typeof WHO)[number]

/** Targets of requests. */
export interface Aims extends Source {
  /** Encoded paths of existing files and folders. */
  paths: readonly string[]
  /** Names of share links. */
  links: readonly string[]
  /** Ids of users that may be changed. */
  users: readonly number[]
}

/** A request, byte for byte, without its sender's token. */
export interface Attempt {
  index: number
  who: Who
  call: DescribedCall
  method: string
  /** Below the base URL, as on the wire. */
  target: string
  headers: [string, string][]
  body: Buffer | undefined
  /** The sender disconnects before all announced bytes are sent. */
  cut: boolean
}

const ODD_METHODS = ['PATCH', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'PROPFIND', 'get', 'QUERY'] as const

/** The request of a number: calls in rotation, everything else random. */
export function makeAttempt(seed: number, index: number, calls: readonly DescribedCall[], aims: Aims): Attempt {
  const dice = diceFor(seed, index)
  const call = calls[index % calls.length]
  if (!call) throw new Error('The description has no calls.')
  const method = dice.chance(0.05) ? dice.pick(ODD_METHODS) : call.method
  const parameters = call.operation.parameters.filter(({ in: place }) => place === 'query')
  const declared = call.operation.parameters.filter(({ in: place }) => place === 'header')
  const body = bodyFor(call, aims, dice)
  return {
    index,
    who: dice.chance(0.55) ? 'admin' : dice.pick(WHO),
    call,
    method,
    target: addressOf(call, method, aims, dice) + queryOf(parameters, aims, dice),
    headers: headersFor(declared, body, dice),
    body,
    cut: body !== undefined && dice.chance(0.05),
  }
}

/** Segments as on the wire that are no valid names. */
const ODD_SEGMENTS = [
  '..',
  '.',
  '',
  '%2e%2e',
  '%2F',
  '%5c',
  '%00',
  '%',
  '%zz',
  '%c0%af',
  '%ff',
  '%ed%a0%80',
  '%0d%0aX:y',
  ';a=b',
  '\x7f',
  '\xe9',
  '%25%32%65',
  'a'.repeat(3000),
  'n/'.repeat(1500),
  '%F0%9F%92%A9',
  '*',
  '~',
  '[',
  '|',
  '^',
] as const

function addressOf({ path }: DescribedCall, method: string, aims: Aims, dice: Dice): string {
  const address = path.replace('{id}', idFor(method, aims, dice)).replace('/{path}', `/${pathFor(path, aims, dice)}`)
  if (dice.chance(0.02))
    return address.replace('/api/', dice.pick(['/api//', '/API/', '/%61pi/', '/api/./', '/api/x/../']))
  return dice.chance(0.02) ? address.replace(/\/$/, '') : address
}

/** The first user resets the state between the rounds, so this one must not change. */
function idFor(method: string, { users }: Aims, dice: Dice): string {
  const others = [
    ...users.map(String),
    ...users.map(String),
    '99',
    '0',
    '-1',
    '1.5',
    'abc',
    '9'.repeat(15),
    '9'.repeat(30),
    '%00',
  ]
  return dice.pick(method === 'GET' ? [...others, '1', '01'] : others)
}

function pathFor(path: string, aims: Aims, dice: Dice): string {
  const start =
    path.includes('/public/') || (path === '/api/share/{path}' && dice.chance(0.3)) ? [dice.pick(aims.links)] : []
  if (dice.chance(0.45)) return [...start, dice.pick(aims.paths)].join('/')
  if (dice.chance(0.2)) return [...start, `new-${dice.below(1000)}`].join('/')
  const names = Array.from({ length: dice.below(4) }, () => {
    if (dice.chance(0.5)) return encodeURIComponent(dice.pick(HOSTILE_TEXTS).toWellFormed())
    return dice.chance(0.5) ? dice.pick(aims.paths) : dice.pick(ODD_SEGMENTS)
  })
  return [...start, ...names].join('/') + (dice.chance(0.3) ? '/' : '')
}

/** Meaningful values, by parameter and header. */
const MEANINGFUL: Readonly<Record<string, readonly string[]>> = {
  action: ['copy', 'rename'],
  algo: ['zip', 'tar', 'targz', 'tarbz2', 'tarxz', 'tarlz4', 'tarsz', 'tarzst', 'tarbr', 'rar'],
  checksum: ['md5', 'sha1', 'sha256', 'sha512', 'crc32'],
  expires: ['1', '0', '2147483647', '2147483648'],
  seconds: ['1', '0', '91', '1.5'],
  unit: ['seconds', 'days', 'years'],
  query: ['a', 'type:image', 'case:sensitive A', '"a b"', 'type:'],
  Range: [
    'bytes=0-1',
    'bytes=-1',
    'bytes=1-',
    'bytes=0-0,2-3,1-1',
    'bytes=99999999999999999999-',
    'bytes=5-1',
    'x=0-1',
  ],
  'Upload-Length': ['0', '5', '1000', '-1', '1e9', '99999999999999999999', ' 5'],
  'Upload-Offset': ['0', '5', '-1', '99999999999999999999', 'x'],
  'Upload-Checksum': ['sha1 AAAA', 'md5 1B2M2Y8AsgTpgAmY7PhCfg==', 'sha1', 'x y z', ' '],
  'Tus-Resumable': ['1.0.0', '1.0.0', '0.2.2', ''],
  'If-Match': ['*', '"x"', 'W/"x"', '"a", "b"', '"'],
  'If-None-Match': ['*', '"x"', '"'],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday', '-1'],
  'X-SHARE-PASSWORD': ['open', '%', '%zz', 'a+b', '%00'],
  'X-Encoding': ['true'],
}

function queryOf(parameters: readonly Parameter[], { paths }: Aims, dice: Dice): string {
  const pairs = parameters
    .filter(({ required }) => dice.chance(required ? 0.95 : 0.4))
    .flatMap(({ name }) =>
      Array.from({ length: dice.chance(0.1) ? 2 : 1 }, () => `${name}=${queryValue(name, paths, dice)}`),
    )
  if (dice.chance(0.08))
    pairs.push(dice.pick(['', '&', '=', '%', '%zz=1', '__proto__=1', 'a[b]=c', 'auth=a.b.c', ';', 'x=%ff']))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function queryValue(name: string, paths: readonly string[], dice: Dice): string {
  if (dice.chance(0.1)) return dice.pick(ODD_SEGMENTS)
  if (name === 'destination' && dice.chance(0.7))
    return encodeURIComponent(`/${dice.pick(paths)}${dice.chance(0.5) ? '.new' : ''}`)
  const known = MEANINGFUL[name] ?? ['true', 'false']
  return encodeURIComponent(dice.chance(0.7) ? dice.pick(known) : dice.pick(HOSTILE_TEXTS).toWellFormed())
}

const EXTRA: readonly [string, readonly string[]][] = [
  [
    'Content-Type',
    ['application/json', 'text/plain', 'x', '', 'application/offset+octet-stream', 'multipart/form-data', 'a/b; c="'],
  ],
  ['Accept', ['application/x-ndjson', 'text/html', '*/*;q=x', '']],
  ['Cookie', ['auth=a.b.c', 'auth=%', 'auth', '=;;=', `auth=${'x'.repeat(3000)}`]],
  ['Authorization', ['Basic Og==', 'Bearer x']],
  ['Sec-Fetch-Site', ['cross-site', 'none']],
  ['X-Forwarded-For', ['1.2.3.4', 'x, y', '::']],
  ['Expect', ['100-continue', 'x']],
  ['Content-Encoding', ['gzip', 'x']],
  ['Origin', ['null', 'http://other.example']],
  ['Upgrade', ['websocket', 'h2c']],
  ['X-Long', ['x'.repeat(8000), 'x'.repeat(20_000)]],
]

function headersFor(declared: readonly Parameter[], body: Buffer | undefined, dice: Dice): [string, string][] {
  const known = declared
    .filter(() => dice.chance(0.5))
    .map(({ name }): [string, string] => [
      name,
      dice.pick(dice.chance(0.85) ? (MEANINGFUL[name] ?? ['x']) : ODD_HEADERS),
    ])
  const extra = EXTRA.filter(() => dice.chance(0.06)).map(([name, values]): [string, string] => [
    name,
    dice.pick(values),
  ])
  const type: [string, string][] =
    body && dice.chance(0.5)
      ? [['Content-Type', dice.pick(['application/json', 'application/offset+octet-stream'])]]
      : []
  const socket: [string, string][] = extra.some(([name]) => name === 'Upgrade')
    ? [
        ['Connection', 'Upgrade, close'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ]
    : [['Connection', 'close']]
  return [...known, ...type, ...extra, ...socket]
}

const ODD_HEADERS = ['', ' ', '\t', '\xff', 'x'.repeat(4000), '"', ',', ';', '\x01'] as const

function bodyFor({ operation, method }: DescribedCall, source: Source, dice: Dice): Buffer | undefined {
  const content = operation.requestBody?.content
  if (!content || dice.chance(0.05)) return method !== 'GET' && dice.chance(0.1) ? Buffer.from('{"a":1}') : undefined
  const schema = content['application/json']?.schema
  if (!schema) return dice.bytes(dice.chance(0.02) ? 300_000 : dice.below(2000))
  const value = fittingValue(source, schema, dice)
  if (dice.chance(0.45)) return Buffer.from(JSON.stringify(value))
  if (dice.chance(0.7)) return Buffer.from(JSON.stringify(mutate(value, dice)) ?? '')
  return corrupt(Buffer.from(JSON.stringify(value)), dice)
}

/** Bytes that are no longer JSON, or too many. */
function corrupt(json: Buffer, dice: Dice): Buffer {
  const kind = dice.below(6)
  if (kind === 0) return json.subarray(0, dice.below(json.length))
  if (kind === 1) return Buffer.concat([json, json])
  if (kind === 2) return Buffer.from(JSON.stringify(anyValue(dice)) ?? '')
  if (kind === 3) return Buffer.from('['.repeat(50_000))
  if (kind === 4) return Buffer.from(`{"data":"${'x'.repeat(2 * 1024 * 1024)}"}`)
  const corrupted = Buffer.from(json)
  for (let count = 0; count < 4 && corrupted.length > 0; count += 1)
    corrupted[dice.below(corrupted.length)] = dice.below(256)
  return corrupted
}
