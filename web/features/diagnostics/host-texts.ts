import type { HostReason, HostSetting, OpenSettingName } from '../../../shared/api/diagnostics.ts'
import { isOpenSetting } from '../../../shared/api/diagnostics.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'

const ABOUT = {
  logLevel: 'doctor.about.logLevel',
  tokenExpirationTime: 'doctor.about.tokenExpirationTime',
  imageProcessors: 'doctor.about.imageProcessors',
  maxImagePixels: 'doctor.about.maxImagePixels',
  nameIndex: 'doctor.about.nameIndex',
  nameIndexEvery: 'doctor.about.nameIndexEvery',
  contentIndex: 'doctor.about.contentIndex',
  contentIndexBytes: 'doctor.about.contentIndexBytes',
  disableThumbnails: 'doctor.about.disableThumbnails',
  disablePreviewResize: 'doctor.about.disablePreviewResize',
  disableTypeDetectionByHeader: 'doctor.about.disableTypeDetectionByHeader',
  disableImageResolutionCalc: 'doctor.about.disableImageResolutionCalc',
  passwordCost: 'doctor.about.passwordCost',
  extractBytes: 'doctor.about.extractBytes',
  extractRatio: 'doctor.about.extractRatio',
  extractMembers: 'doctor.about.extractMembers',
  extractDepth: 'doctor.about.extractDepth',
  disableQueryToken: 'doctor.about.disableQueryToken',
} as const satisfies Record<OpenSettingName, MessageKey>

/** Why settings cannot be changed in the interface. */
export const REASONS = {
  place: 'doctor.host.place',
  way: 'doctor.host.way',
  power: 'doctor.host.power',
  guard: 'doctor.host.guard',
  key: 'doctor.host.key',
  first: 'doctor.host.first',
} as const satisfies Record<HostReason, MessageKey>

/** Description of a setting that can be changed here; `''` for others. */
export const aboutSetting = ({ name }: HostSetting): string => (isOpenSetting(name) ? t(ABOUT[name]) : '')

/** Display text of a setting: large numbers of bytes as a size, too. */
export const shownText = ({ name }: HostSetting, text: string): string =>
  name.endsWith('Bytes') && /^\d+$/.test(text) ? `${text} (${formatBytes(Number(text))})` : text || '–'
