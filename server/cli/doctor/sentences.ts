import type { Finding, FindingCode } from '../../../shared/api/diagnostics.ts'

type Sentence = (found: { what: string; amount: number }) => string

const inMiB = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`
const inGiB = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

const SENTENCES: Readonly<Record<FindingCode, Sentence>> = {
  folderFree: ({ what, amount }) => `${what} is writable; ${inGiB(amount)} free`,
  folderFull: ({ what, amount }) => `${what} is writable, but only ${inGiB(amount)} are free`,
  folderClosed: ({ what }) => `${what} is not writable for the account of the server`,
  databaseSound: ({ what }) => `the database ${what} is intact`,
  databaseNew: ({ what }) => `the first start will create the database ${what}`,
  databaseBroken: ({ what }) => `the database ${what} cannot be used`,
  databaseLost: ({ what }) => `the database ${what} is missing or empty, but it was set up before`,
  storeAway: ({ what }) => `the store ${what} does not respond, or refuses the server`,
  heldByHandles: () => 'paths are confined by file handles',
  heldByNames: () => 'paths are confined by name: there is no /proc/self/fd on this host',
  watchesMany: ({ amount }) => `${amount} folders can be watched at once`,
  watchesFew: ({ amount }) => `only ${amount} folders can be watched at once; others are polled`,
  picturesMade: () => 'image previews work',
  picturesFail: ({ what }) => `image previews fail: ${what}`,
  videosMade: () => 'video previews work',
  videosMissing: () => 'there are no video previews: ffmpeg is not installed',
  programsOff: () => 'commands and hooks are off',
  programsBoxed: () => 'commands and hooks run in a sandbox',
  programsFree: () => 'commands and hooks run without a sandbox: they have all rights of the server',
  programsRefused: ({ what }) => `commands and hooks are refused: no sandbox works on this host (${what})`,
  cameStraight: ({ what }) => `requests come directly from ${what}`,
  cameByProxy: ({ what }) => `requests come through a trusted proxy, from ${what}`,
  cameByStranger: ({ what }) => `the proxy ${what} is not trusted: all clients seem to have its address`,
  cookieSent: () => 'the browser sends the session cookie',
  cookieLost: () => 'the browser does not send the session cookie',
  reached: ({ what }) => `${what} responds`,
  unreachable: ({ what }) =>
    `${what}. Is the server running, and does the proxy forward this path with the prefix that it expects?`,
  encrypted: () => 'the connection is encrypted',
  nearby: () => 'the connection does not leave this machine',
  plainText: () => 'passwords and files are sent in plain text',
  clockRight: () => 'the clocks agree',
  clockUnknown: () => 'responses have no Date header',
  clockWrong: ({ amount }) =>
    `the clock of the server differs by ${amount} seconds; sessions and share links expire at the wrong time`,
  baseRight: ({ what }) => `pages use the base URL ${what}`,
  baseWrong: ({ what }) => `pages use a wrong base URL: ${what}`,
  bodiesPass: ({ amount }) => `request bodies of ${inMiB(amount)} pass`,
  bodiesStopped: ({ amount, what }) => `a request body of ${inMiB(amount)} is blocked: ${what}`,
  methodsPass: ({ what }) => `${what} pass`,
  methodsStopped: ({ what }) => `${what} are blocked by the proxy, or a firewall in front of it`,
  namesPass: () => 'percent-encoded names pass',
  namesStopped: ({ what }) => `a percent-encoded name is blocked: ${what}`,
  socketsPass: () => 'WebSockets pass',
  socketsStopped: () => 'WebSockets are blocked',
  eventsPass: () => 'events arrive without delay',
  waitsPass: ({ amount }) => `responses may take ${amount} seconds`,
  silenceStopped: ({ amount, what }) => `a response that begins after ${amount} seconds is cut off: ${what}`,
  trickleStopped: ({ amount, what }) => `a response that takes ${amount} seconds is cut off: ${what}`,
  handOverWorks: () => 'the proxy sends downloads',
  handOverFails: ({ what }) => `downloads that the proxy should send fail: ${what}`,
  handOverBare: ({ what }) => `the proxy omits ${what} from downloads that it sends: stored pages could run scripts`,
  handOverOpen: ({ what }) => `files can be downloaded without signing in, at ${what}`,
  eventsLate: () => 'events are delayed: a proxy buffers responses',
}

/** A finding as a sentence for the console. */
export const sentenceOf = ({ code, what = '', amount = 0 }: Finding): string => SENTENCES[code]({ what, amount })
