/** A limit that requests and their work meet. */
interface Limit {
  value: number
  unit: 'bytes' | 'ms' | 's' | 'count'
  /** What is limited, for the table in docs/security/limits.md. */
  what: string
  /** What happens beyond it. */
  beyond: string
}

/**
 * Every limit of the server, once: no stranger and no user gets more of it than this. Those that hosts may choose are
 * settings, those that the browser side knows as well stand in `shared/limits.ts`.
 */
export const LIMIT_TABLE = {
  headers: { value: 16 * 1024, unit: 'bytes', what: 'All headers of a request', beyond: '431' },
  headersTimeout: {
    value: 15_000,
    unit: 'ms',
    what: 'Time until the headers are there',
    beyond: 'the end of the connection',
  },
  headersCheck: { value: 1000, unit: 'ms', what: 'Time between two looks for late headers', beyond: 'nothing' },
  idleTimeout: {
    value: 120_000,
    unit: 'ms',
    what: 'Time without a byte in either direction',
    beyond: 'the end of the connection',
  },
  silentReader: {
    value: 240_000,
    unit: 'ms',
    what: 'Further time for a client that takes nothing of its answer; one that takes something is waited for',
    beyond: 'the end of the connection',
  },
  connections: { value: 8192, unit: 'count', what: 'Connections at once', beyond: 'the end of the newest' },
  jsonBody: { value: 64 * 1024, unit: 'bytes', what: 'Body of a call in JSON', beyond: '413' },
  userBody: { value: 256 * 1024, unit: 'bytes', what: 'Body of a call about a user', beyond: '413' },
  jsonDepth: { value: 32, unit: 'count', what: 'Nesting of such a body', beyond: '400' },
  drain: {
    value: 32 * 1024 * 1024,
    unit: 'bytes',
    what: 'Body that is read although it was refused',
    beyond: 'the end of the connection',
  },
  socketMessage: {
    value: 64 * 1024,
    unit: 'bytes',
    what: 'Message of a client over a WebSocket',
    beyond: 'the close code 1009',
  },
  shutdown: { value: 10_000, unit: 'ms', what: 'Time for running requests when the server stops', beyond: 'their end' },
  openUploads: { value: 1000, unit: 'count', what: 'Unfinished uploads of a user', beyond: '429' },
  uploadLifetime: {
    value: 24 * 3_600_000,
    unit: 'ms',
    what: 'Time an unfinished upload is kept',
    beyond: 'its removal',
  },
  jobs: { value: 500, unit: 'count', what: 'Jobs of a user that wait or run', beyond: '429' },
  runningJobs: { value: 8, unit: 'count', what: 'Jobs at once', beyond: 'waiting' },
  runningJobsOfUser: { value: 3, unit: 'count', what: 'Jobs of a user at once', beyond: 'waiting' },
  slowArchives: { value: 2, unit: 'count', what: 'Archives of slow formats (xz, bzip2) at once', beyond: '503' },
  comparedListing: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    what: 'Listing that is compared with the one a client knows',
    beyond: 'the whole listing',
  },
  comparedListings: { value: 4, unit: 'count', what: 'Such long listings at once', beyond: 'the whole listing' },
  comparedListingTime: {
    value: 10_000,
    unit: 'ms',
    what: 'Time until such a listing is known',
    beyond: 'the whole listing',
  },
  slowAnswer: { value: 90_000, unit: 'ms', what: 'Answer that tries how long a proxy waits', beyond: '400' },
  slowAnswers: { value: 4, unit: 'count', what: 'Such answers at once', beyond: '429' },
  eventStreams: { value: 32, unit: 'count', what: 'Streams of events of a user', beyond: '429' },
  passwordsAtOnce: { value: 2, unit: 'count', what: 'Passwords that are looked at at once', beyond: 'waiting' },
  passwordsWaiting: { value: 64, unit: 'count', what: 'Passwords that wait for that', beyond: '503' },
  subtitle: { value: 5 * 1024 * 1024, unit: 'bytes', what: 'File of subtitles', beyond: '413' },
  previewTime: { value: 10_000, unit: 'ms', what: 'Time to make a preview', beyond: '422, and the end of its process' },
  previewMemory: {
    value: 512 * 1024 * 1024,
    unit: 'bytes',
    what: 'Memory to make a preview',
    beyond: '422, and the end of its process',
  },
  previewsWaiting: { value: 256, unit: 'count', what: 'Previews that wait to be made', beyond: '503' },
  commandsOfUser: { value: 8, unit: 'count', what: 'Commands of a user at once', beyond: '429' },
  commands: { value: 64, unit: 'count', what: 'Commands at once', beyond: '503' },
  commandTime: { value: 60 * 60_000, unit: 'ms', what: 'Time of a command', beyond: 'its end' },
  commandOutput: { value: 256 * 1024 * 1024, unit: 'bytes', what: 'Output of a command', beyond: 'its end' },
  hooksAtOnce: { value: 8, unit: 'count', what: 'Hooks at once', beyond: 'waiting' },
  hookTime: {
    value: 60_000,
    unit: 'ms',
    what: 'Time of a hook that a deed waits for',
    beyond: 'its end, and a refusal',
  },
  loginHooks: { value: 8, unit: 'count', what: 'Login hooks at once', beyond: '503' },
  loginHookTime: { value: 10_000, unit: 'ms', what: 'Time of a login hook', beyond: 'its end, and a refusal' },
  captchaTime: { value: 5000, unit: 'ms', what: 'Time of the answer to a captcha', beyond: 'a refusal' },
  sandboxTasks: {
    value: 256,
    unit: 'count',
    what: 'Processes and threads of a command in the sandbox',
    beyond: 'its end',
  },
  sandboxData: { value: 1024 ** 3, unit: 'bytes', what: 'Data of each of its processes', beyond: 'no more memory' },
  sandboxMemory: { value: 2 * 1024 ** 3, unit: 'bytes', what: 'Memory of all its processes', beyond: 'its end' },
  sandboxFiles: {
    value: 64 * 1024 ** 2,
    unit: 'bytes',
    what: 'Files in each of its temporary folders',
    beyond: 'no more room',
  },
  guessesOfVisitor: {
    value: 9,
    unit: 'count',
    what: 'Wrong passwords for one thing from one network',
    beyond: '429, later ever longer',
  },
  guessesOfSubject: {
    value: 100,
    unit: 'count',
    what: 'Wrong passwords for one thing from everywhere',
    beyond: '429, but for networks known to it',
  },
  guessesOfNetwork: {
    value: 100,
    unit: 'count',
    what: 'Wrong passwords from one network',
    beyond: '429, later ever longer',
  },
  longestWait: { value: 15 * 60_000, unit: 'ms', what: 'The longest wait after wrong passwords', beyond: 'nothing' },
  linkMisses: { value: 300, unit: 'count', what: 'Links in a minute from one address that are none', beyond: '429' },
  contentTicket: { value: 3 * 3600, unit: 's', what: 'Time that a ticket for the content origin lasts', beyond: '401' },
  shareTicket: { value: 3600, unit: 's', what: 'Time that the ticket of a link with a password lasts', beyond: '401' },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMIT_TABLE

/** The values of the table. */
export const LIMITS = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, { value }]) => [name, value]),
) as Readonly<Record<LimitName, number>>
