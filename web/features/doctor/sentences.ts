import type { Finding, FindingCode } from '../../../shared/api/doctor.ts'
import { formatBytes, formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'

type Sentence = (found: { what: string; amount: number }) => string

const SENTENCES: Readonly<Record<FindingCode, Sentence>> = {
  folderFree: ({ what, amount }) => t('doctor.folderFree', { what, size: formatBytes(amount) }),
  folderFull: ({ what, amount }) => t('doctor.folderFull', { what, size: formatBytes(amount) }),
  folderClosed: ({ what }) => t('doctor.folderClosed', { what }),
  databaseSound: ({ what }) => t('doctor.databaseSound', { what }),
  databaseNew: ({ what }) => t('doctor.databaseSound', { what }),
  databaseBroken: ({ what }) => t('doctor.databaseBroken', { what }),
  databaseLost: ({ what }) => t('doctor.databaseLost', { what }),
  heldByHandles: () => t('doctor.heldByHandles'),
  heldByNames: () => t('doctor.heldByNames'),
  watchesMany: ({ amount }) => t('doctor.watchesMany', { count: amount }),
  watchesFew: ({ amount }) => t('doctor.watchesFew', { count: amount }),
  picturesMade: () => t('doctor.picturesMade'),
  picturesFail: ({ what }) => t('doctor.picturesFail', { what }),
  filmsMade: () => t('doctor.filmsMade'),
  filmsMissing: () => t('doctor.filmsMissing'),
  programsOff: () => t('doctor.programsOff'),
  programsBoxed: () => t('doctor.programsBoxed'),
  programsFree: () => t('doctor.programsFree'),
  programsRefused: () => t('doctor.programsRefused'),
  cameStraight: ({ what }) => t('doctor.cameStraight', { what }),
  cameByProxy: ({ what }) => t('doctor.cameByProxy', { what }),
  cameByStranger: ({ what }) => t('doctor.cameByStranger', { what }),
  cookieSent: () => t('doctor.cookieSent'),
  cookieLost: () => t('doctor.cookieLost'),
  reached: ({ what }) => t('doctor.reached', { what }),
  unreachable: ({ what }) => t('doctor.unreachable', { what }),
  encrypted: () => t('doctor.encrypted'),
  nearby: () => t('doctor.nearby'),
  plainText: () => t('doctor.plainText'),
  clockRight: () => t('doctor.clockRight'),
  clockUnknown: () => t('doctor.clockUnknown'),
  clockWrong: ({ amount }) => t('doctor.clockWrong', { seconds: amount }),
  baseRight: ({ what }) => t('doctor.baseRight', { what }),
  baseWrong: ({ what }) => t('doctor.baseWrong', { what }),
  bodiesPass: ({ amount }) => t('doctor.bodiesPass', { size: formatBytes(amount) }),
  bodiesStopped: ({ amount, what }) => t('doctor.bodiesStopped', { size: formatBytes(amount), what }),
  methodsPass: ({ what }) => t('doctor.methodsPass', { what }),
  methodsStopped: ({ what }) => t('doctor.methodsStopped', { what }),
  namesPass: () => t('doctor.namesPass'),
  namesStopped: ({ what }) => t('doctor.namesStopped', { what }),
  socketsPass: () => t('doctor.socketsPass'),
  socketsStopped: () => t('doctor.socketsStopped'),
  eventsPass: () => t('doctor.eventsPass'),
  waitsPass: ({ amount }) => t('doctor.waitsPass', { seconds: formatNumber(amount) }),
  silenceStopped: ({ amount, what }) => t('doctor.silenceStopped', { seconds: formatNumber(amount), what }),
  trickleStopped: ({ amount, what }) => t('doctor.trickleStopped', { seconds: formatNumber(amount), what }),
  eventsLate: () => t('doctor.eventsLate'),
}

/** What was found, in the reader's language. */
export const sentenceOf = ({ code, what = '', amount = 0 }: Finding): string => SENTENCES[code]({ what, amount })
