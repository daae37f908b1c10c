import * as z from 'zod/mini'

export type FindingState = 'fine' | 'notable' | 'wrong'

/**
 * What a look at a server may find, and how bad that is. A new one is a line here, a sentence for the console
 * (`server/cli/doctor/sentences.ts`) and one for the interface (`doctor.…`).
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
  heldByHandles: 'fine',
  heldByNames: 'notable',
  watchesMany: 'fine',
  watchesFew: 'notable',
  picturesMade: 'fine',
  picturesFail: 'wrong',
  filmsMade: 'fine',
  filmsMissing: 'notable',
  programsOff: 'fine',
  programsBoxed: 'fine',
  programsFree: 'notable',
  programsRefused: 'wrong',
  // What a request says of the way it came.
  cameStraight: 'fine',
  cameByProxy: 'fine',
  cameByStranger: 'wrong',
  cookieSent: 'fine',
  cookieLost: 'notable',
  // What the way lets through.
  reached: 'fine',
  unreachable: 'wrong',
  encrypted: 'fine',
  nearby: 'fine',
  plainText: 'wrong',
  clockRight: 'fine',
  clockUnknown: 'notable',
  clockWrong: 'wrong',
  baseRight: 'fine',
  baseWrong: 'wrong',
  bodiesPass: 'fine',
  bodiesStopped: 'wrong',
  methodsPass: 'fine',
  methodsStopped: 'wrong',
  namesPass: 'fine',
  namesStopped: 'wrong',
  socketsPass: 'fine',
  socketsStopped: 'notable',
  eventsPass: 'fine',
  eventsLate: 'notable',
  waitsPass: 'fine',
  silenceStopped: 'wrong',
  trickleStopped: 'wrong',
  // What a proxy does that is to send files by itself.
  handOverWorks: 'fine',
  handOverFails: 'wrong',
  handOverBare: 'wrong',
  handOverOpen: 'wrong',
} as const satisfies Record<string, FindingState>
export type FindingCode = keyof typeof FINDINGS

/** What one look found. */
export const Finding = z.object({
  code: z.enum(Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]]),
  /** A path, an address, a list of methods, or what somebody answered. */
  what: z.exactOptional(z.string()),
  /** Bytes, seconds or a count, as the finding has it. */
  amount: z.exactOptional(z.number()),
  /** Lines to run or to write, where there are any; the same in every language. */
  lines: z.exactOptional(z.array(z.string())),
})
export type Finding = z.infer<typeof Finding>

/** Answer of `GET /api/doctor`. */
export const DoctorAnswer = z.array(Finding)

/** A file that a proxy is told to send by itself, to try whether it does. */
export const HandedFile = z.object({
  /** In the caller's scope, to be read. */
  path: z.string(),
  /** Where one asks for it, below the base URL. */
  address: z.string(),
  /** Where the proxy is told that it lies, and nobody else may get it: a path from the top of the host name. */
  place: z.string(),
  /** Bytes, at least one. */
  size: z.number(),
  /** To run or to write where the proxy finds nothing there, and where it may not read it. */
  lines: z.object({ missing: z.array(z.string()), refused: z.array(z.string()) }),
})
export type HandedFile = z.infer<typeof HandedFile>

/** Answer of `GET /api/doctor/files`. */
export const HandedFilesAnswer = z.array(HandedFile)

export const stateOf = ({ code }: Finding): FindingState => FINDINGS[code]

/** Where a setting of the host comes from, the strongest first (http-api 19.1). */
export const SETTING_ORIGINS = ['flag', 'variable', 'file', 'database', 'default'] as const
export type SettingOrigin = (typeof SETTING_ORIGINS)[number]

/**
 * Why only the host says a setting, and the interface cannot change it: where things lie on it, how it is reached and whom it
 * believes, keys to other services, the first start, what people can do on the host itself, and what also protects against
 * administrators (decision 0063).
 */
export const HOST_REASONS = ['place', 'way', 'key', 'first', 'power', 'guard'] as const
export type HostReason = (typeof HOST_REASONS)[number]

/** The settings of the host that administrators may change in the interface, where the host says nothing. */
export const OPEN_SETTING_NAMES = [
  'logLevel',
  'tokenExpirationTime',
  'imageProcessors',
  'maxImagePixels',
  'nameIndex',
  'nameIndexEvery',
  'contentIndex',
  'contentIndexBytes',
  'disableThumbnails',
  'disablePreviewResize',
  'disableTypeDetectionByHeader',
  'disableImageResolutionCalc',
  'passwordCost',
  'extractBytes',
  'extractRatio',
  'extractMembers',
  'extractDepth',
  'disableQueryToken',
] as const
export type OpenSettingName = (typeof OPEN_SETTING_NAMES)[number]

const open: ReadonlySet<string> = new Set(OPEN_SETTING_NAMES)
export const isOpenSetting = (name: string): name is OpenSettingName => open.has(name)

/** Where a setting is said on the host itself, which the interface cannot change. */
export const isSaidOnHost = ({ from }: Pick<HostSetting, 'from'>): boolean => from !== 'database' && from !== 'default'

/** A setting of the host. */
export const HostSetting = z.object({
  name: z.string(),
  /** As it was written; not there where it is secret. */
  text: z.exactOptional(z.string()),
  from: z.enum(SETTING_ORIGINS),
  /** Name of the variable, or path of the file. */
  where: z.exactOptional(z.string()),
  /** Why the interface cannot change it; those without can be changed where nothing on the host says them. */
  host: z.exactOptional(z.enum(HOST_REASONS)),
  /** Of one that can be changed: what it is where nobody says anything. */
  default: z.exactOptional(z.string()),
  /** All that it can be, where that is one of a few words. */
  words: z.exactOptional(z.array(z.string())),
  /** What the database keeps for it by now, which counts from the next start where nothing on the host says it. */
  kept: z.exactOptional(z.string()),
})
export type HostSetting = z.infer<typeof HostSetting>

/** Answer of `GET /api/doctor/settings`. */
export const HostSettingsAnswer = z.array(HostSetting)

/** Body of `PUT /api/doctor/settings/:name`, as one would write it behind its flag. */
export const HostSettingInput = z.object({ text: z.string().check(z.minLength(1), z.maxLength(200)) })
export type HostSettingInput = z.infer<typeof HostSettingInput>
