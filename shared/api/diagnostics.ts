import * as z from 'zod/mini'

export type FindingState = 'fine' | 'notable' | 'wrong'

/**
 * Possible findings of the diagnostics, with their severity. To add one, add a line here and a text `diagnostics.<code>`,
 * which the console shows, too.
 */
export const FINDINGS = {
  // The host.
  folderFree: 'fine',
  folderFull: 'notable',
  folderClosed: 'wrong',
  databaseSound: 'fine',
  databaseNew: 'fine',
  databaseBroken: 'wrong',
  databaseLost: 'wrong',
  storeAway: 'wrong',
  rootExchanged: 'wrong',
  bucketForgets: 'notable',
  heldByHandles: 'fine',
  heldByNames: 'notable',
  kernelCalled: 'fine',
  kernelLeft: 'fine',
  watchesMany: 'fine',
  watchesFew: 'notable',
  picturesMade: 'fine',
  picturesFail: 'wrong',
  videosMade: 'fine',
  videosMissing: 'notable',
  documentsShown: 'fine',
  documentsMissing: 'notable',
  documentsUnboxed: 'notable',
  sumsDiffer: 'wrong',
  secretsUnreadable: 'wrong',
  keyInDatabase: 'notable',
  providerUp: 'fine',
  providerAway: 'wrong',
  directoryUp: 'fine',
  directoryAway: 'wrong',
  directoryPlain: 'notable',
  directoryDoubtful: 'wrong',
  webhookFailing: 'notable',
  webhookOff: 'wrong',
  mailUp: 'fine',
  mailAway: 'wrong',
  mailDead: 'notable',
  mailLate: 'notable',
  officeUp: 'fine',
  officeAway: 'wrong',
  officeSilent: 'notable',
  programsOff: 'fine',
  programsBoxed: 'fine',
  programsFree: 'notable',
  programsRefused: 'wrong',
  // Deleted items and versions.
  areaUnsafe: 'wrong',
  areaAway: 'notable',
  roomShort: 'notable',
  clockJumped: 'wrong',
  keptLost: 'notable',
  keptUnknown: 'notable',
  linksMissing: 'notable',
  // From a request, about its route to the server.
  cameStraight: 'fine',
  cameByProxy: 'fine',
  cameByStranger: 'wrong',
  cookieSent: 'fine',
  cookieLost: 'notable',
  // What the route lets through.
  reached: 'fine',
  unreachable: 'wrong',
  encrypted: 'fine',
  nearby: 'fine',
  plainText: 'wrong',
  davRefused: 'notable',
  clockRight: 'fine',
  clockUnknown: 'notable',
  clockWrong: 'wrong',
  baseRight: 'fine',
  baseWrong: 'wrong',
  bodiesPass: 'fine',
  bodiesStopped: 'wrong',
  methodsPass: 'fine',
  methodsStopped: 'wrong',
  davPass: 'fine',
  davStopped: 'wrong',
  namesPass: 'fine',
  namesStopped: 'wrong',
  socketsPass: 'fine',
  socketsStopped: 'notable',
  eventsPass: 'fine',
  eventsLate: 'notable',
  waitsPass: 'fine',
  silenceStopped: 'wrong',
  trickleStopped: 'wrong',
  // A proxy that is to send files itself.
  handOverWorks: 'fine',
  handOverFails: 'wrong',
  handOverBare: 'wrong',
  handOverOpen: 'wrong',
} as const satisfies Record<string, FindingState>
export type FindingCode = keyof typeof FINDINGS

/** A finding. */
export const Finding = z.object({
  code: z.enum(Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]]),
  /** A path, a URL, a list of methods, or the response received. */
  what: z.exactOptional(z.string()),
  /** Bytes, seconds or a count, depending on the finding. */
  amount: z.exactOptional(z.number()),
  /** Commands to run or lines to add, if any; the same in every language. */
  lines: z.exactOptional(z.array(z.string())),
})
export type Finding = z.infer<typeof Finding>

/** Response of `GET /api/doctor`. */
export const FindingsAnswer = z.array(Finding)

/** A test file for a proxy that is to send files itself. */
export const HandedFile = z.object({
  /** In the caller's scope, for reading. */
  path: z.string(),
  /** Its URL, below the base URL. */
  address: z.string(),
  /** Its internal location at the proxy, which clients must not reach: a path from the root of the host name. */
  place: z.string(),
  /** Bytes, at least one. */
  size: z.number(),
  /** What to run or to add if the proxy does not find the file, and if it may not read it. */
  lines: z.object({ missing: z.array(z.string()), refused: z.array(z.string()) }),
})
export type HandedFile = z.infer<typeof HandedFile>

/** Response of `GET /api/doctor/files`. */
export const HandedFilesAnswer = z.array(HandedFile)

export const stateOf = ({ code }: Finding): FindingState => FINDINGS[code]

/** Source of a host setting, the strongest first (http-api 19.1). */
export const SETTING_ORIGINS = ['flag', 'variable', 'file', 'database', 'default'] as const
export type SettingOrigin = (typeof SETTING_ORIGINS)[number]

/**
 * Why only the host can set it, not the interface: locations on the host, how it is reached and which proxies it
 * trusts, keys of other services, the first start, access to the host itself, and protection against administrators
 * (docs/design/auth.md).
 */
export const HOST_REASONS = ['place', 'way', 'key', 'first', 'power', 'guard'] as const
export type HostReason = (typeof HOST_REASONS)[number]

/** Where the host sets it, which the interface cannot change. */
export const isSaidOnHost = ({ from }: Pick<HostSetting, 'from'>): boolean => from !== 'database' && from !== 'default'

/** A setting of the host. */
export const HostSetting = z.object({
  name: z.string(),
  /** As written; absent for secrets. */
  text: z.exactOptional(z.string()),
  from: z.enum(SETTING_ORIGINS),
  /** Name of the variable, or path of the file. */
  where: z.exactOptional(z.string()),
  /** Why the interface cannot change it; absent for those it can change while the host does not set them. */
  host: z.exactOptional(z.enum(HOST_REASONS)),
  /** The default of a changeable setting. */
  default: z.exactOptional(z.string()),
  /** The allowed values of an enumeration. */
  words: z.exactOptional(z.array(z.string())),
  /** The value stored in the database, which applies from the next start if the host does not set it. */
  kept: z.exactOptional(z.string()),
})
export type HostSetting = z.infer<typeof HostSetting>

/** Response of `GET /api/doctor/settings`. */
export const HostSettingsAnswer = z.array(HostSetting)

/** Body of `PUT /api/doctor/settings/:name`, as the value of its flag. */
export const HostSettingInput = z.object({ text: z.string().check(z.minLength(1), z.maxLength(200)) })
export type HostSettingInput = z.infer<typeof HostSettingInput>
