import { HOST_SETTINGS } from './host-settings.ts'
import { OPEN_SETTINGS } from './open-settings.ts'
import type { Setting } from './setting.ts'

/** Every setting of the host, once (http-api 19.1). */
export const SETTINGS = { ...HOST_SETTINGS, ...OPEN_SETTINGS }

export type SettingName = keyof typeof SETTINGS

/** All settings as plain data, by name. */
export const ALL_SETTINGS: readonly (Setting & { name: SettingName })[] = Object.entries<Setting>(SETTINGS).map(
  ([name, setting]) => ({ ...setting, name: name as SettingName }),
)

/**
 * Settings of File Browser without effect (http-api 19.1): accepted with a notice, so that existing scripts, variables and
 * files still start the server.
 */
export const IDLE_SETTINGS: readonly Pick<Setting, 'flag' | 'aliases' | 'boolean' | 'env'>[] = [
  { flag: 'redisCacheUrl', aliases: ['redis-cache-url'], env: ['FB_REDIS_CACHE_URL'] },
]
