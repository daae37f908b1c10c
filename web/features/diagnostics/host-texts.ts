import type { HostReason, HostSetting } from '../../../shared/api/diagnostics.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'

type AboutKey = Extract<MessageKey, `doctor.about.${string}`>

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
export const aboutSetting = ({ name, host }: HostSetting): string => (host ? '' : t(`doctor.about.${name}` as AboutKey))

/** Display text of a setting: large numbers of bytes as a size, too. */
export const shownText = ({ name }: HostSetting, text: string): string =>
  name.endsWith('Bytes') && /^\d+$/.test(text) ? `${text} (${formatBytes(Number(text))})` : text || '–'
