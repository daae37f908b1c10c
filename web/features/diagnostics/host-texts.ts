import type { HostReason, HostSetting } from '../../../shared/api/diagnostics.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'

type AboutKey = Extract<MessageKey, `diagnostics.about.${string}`>

/** Why settings cannot be changed in the interface. */
export const REASONS = {
  place: 'diagnostics.host.place',
  way: 'diagnostics.host.way',
  power: 'diagnostics.host.power',
  guard: 'diagnostics.host.guard',
  key: 'diagnostics.host.key',
  first: 'diagnostics.host.first',
} as const satisfies Record<HostReason, MessageKey>

/** Description of a setting that can be changed here; `''` for others. */
export const aboutSetting = ({ name, host }: HostSetting): string =>
  host ? '' : t(`diagnostics.about.${name}` as AboutKey)

/** Display text of a setting: large numbers of bytes as a size, too. */
export const shownText = ({ name }: HostSetting, text: string): string =>
  name.endsWith('Bytes') && /^\d+$/.test(text) ? `${text} (${formatBytes(Number(text))})` : text || '–'
