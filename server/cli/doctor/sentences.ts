import type { Finding, FindingCode } from '../../../shared/api/diagnostics.ts'

type Sentence = (found: { what: string; amount: number }) => string

const inMiB = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`
const inGiB = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

const SENTENCES: Readonly<Record<FindingCode, Sentence>> = {
  folderFree: ({ what, amount }) => `${what} can be written; ${inGiB(amount)} are free`,
  folderFull: ({ what, amount }) => `${what} can be written, but only ${inGiB(amount)} are free`,
  folderClosed: ({ what }) => `${what} cannot be written by the account of the server`,
  databaseSound: ({ what }) => `the database ${what} is sound`,
  databaseNew: ({ what }) => `the database ${what} will be made by the first start`,
  databaseBroken: ({ what }) => `the database ${what} cannot be used`,
  databaseLost: ({ what }) => `the database ${what} is missing or empty, but it was set up before`,
  storeAway: ({ what }) => `the store ${what} does not answer, or refuses the server`,
  heldByHandles: () => 'paths are confined by opened handles',
  heldByNames: () => 'paths are confined by names: there is no /proc/self/fd here',
  watchesMany: ({ amount }) => `${amount} folders can be watched at once`,
  watchesFew: ({ amount }) => `only ${amount} folders can be watched at once; others are looked at now and then`,
  picturesMade: () => 'previews of pictures can be made',
  picturesFail: ({ what }) => `previews of pictures cannot be made: ${what}`,
  filmsMade: () => 'previews of films can be made',
  filmsMissing: () => 'there are no previews of films: ffmpeg is not installed',
  programsOff: () => 'no programs are run for users or hooks',
  programsBoxed: () => 'programs of users and hooks run in a sandbox',
  programsFree: () => 'programs of users and hooks run without a sandbox: they reach all that the server reaches',
  programsRefused: ({ what }) => `programs of users and hooks are refused: no sandbox works here (${what})`,
  cameStraight: ({ what }) => `requests come straight from ${what}`,
  cameByProxy: ({ what }) => `requests come by a trusted proxy, from ${what}`,
  cameByStranger: ({ what }) => `the proxy ${what} is not trusted: all people seem to come from there`,
  cookieSent: () => 'the browser sends the cookie of the session',
  cookieLost: () => 'the browser sends no cookie of the session',
  reached: ({ what }) => `${what} answers`,
  unreachable: ({ what }) =>
    `${what}. Is the server started, and does the proxy send this path to it with the prefix it expects?`,
  encrypted: () => 'the way is encrypted',
  nearby: () => 'the way does not leave this machine',
  plainText: () => 'passwords and files go over the network in plain text',
  clockRight: () => 'the clocks agree',
  clockUnknown: () => 'the answers tell no time',
  clockWrong: ({ amount }) =>
    `the clock over there differs by ${amount} seconds; sessions and links end at the wrong time`,
  baseRight: ({ what }) => `pages know that they lie under ${what}`,
  baseWrong: ({ what }) => `pages do not know where they lie: ${what}`,
  bodiesPass: ({ amount }) => `bodies of ${inMiB(amount)} come through`,
  bodiesStopped: ({ amount, what }) => `a body of ${inMiB(amount)} does not come through: ${what}`,
  methodsPass: ({ what }) => `${what} come through`,
  methodsStopped: ({ what }) => `${what} do not come through: the proxy, or a firewall before it, stops them`,
  namesPass: () => 'names with any signs come through',
  namesStopped: ({ what }) => `an encoded name does not come through: ${what}`,
  socketsPass: () => 'WebSockets come through',
  socketsStopped: () => 'WebSockets do not come through',
  eventsPass: () => 'events come at once',
  waitsPass: ({ amount }) => `answers may take ${amount} seconds`,
  silenceStopped: ({ amount, what }) => `an answer that begins after ${amount} seconds does not come through: ${what}`,
  trickleStopped: ({ amount, what }) => `an answer that takes ${amount} seconds does not come through whole: ${what}`,
  handOverWorks: () => 'the proxy sends downloads by itself',
  handOverFails: ({ what }) => `downloads that the proxy should send by itself fail: ${what}`,
  handOverBare: ({ what }) =>
    `the proxy leaves ${what} out of downloads that it sends by itself: stored pages could run scripts`,
  handOverOpen: ({ what }) => `anybody gets files without signing in, at ${what}`,
  eventsLate: () => 'events come late: something on the way collects answers',
}

/** What was found, for the console. */
export const sentenceOf = ({ code, what = '', amount = 0 }: Finding): string => SENTENCES[code]({ what, amount })
