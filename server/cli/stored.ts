import { INTERFACE_SETTINGS } from '../config/interface-settings.ts'
import type { StoredSettings } from '../config.ts'
import { peekSettings } from '../db/open.ts'
import { SERVER_FIELDS, type ServerSettings, storedText } from '../features/settings/server-settings.ts'
import { serverSettingsIn } from '../features/settings/settings.store.ts'

/** Start settings in the database, from `config set` and from the interface. */
export async function storedSettings(database: string): Promise<StoredSettings> {
  return storedIn(serverSettingsIn(await peekSettings(database)).server)
}

/** The same for commands that work on the served folder: defaults `root` to the folder served last. */
export async function storedForCommands(database: string): Promise<StoredSettings> {
  const { server, servedRoot } = serverSettingsIn(await peekSettings(database))
  const stored = storedIn(server)
  return { ...stored, root: stored.root || servedRoot }
}

const NAMES = [...new Set([...Object.keys(SERVER_FIELDS), ...Object.keys(INTERFACE_SETTINGS)])]

/** The settings of a server, as text by name. */
export const storedIn = (server: ServerSettings): StoredSettings =>
  Object.fromEntries(NAMES.map(name => [name, storedText(server, name)]))
