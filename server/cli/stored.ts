import { OPEN_SETTING_NAMES } from '../../shared/api/diagnostics.ts'
import type { StoredSettings } from '../config.ts'
import { peekSettings } from '../db/open.ts'
import { keptText, type ServerSettings } from '../features/settings/server-settings.ts'
import { serverSettingsIn } from '../features/settings/settings.store.ts'

/** Start settings in the database, from `config set` and from the interface. */
export async function storedSettings(database: string): Promise<StoredSettings> {
  return fromServer(serverSettingsIn(await peekSettings(database)).server)
}

/** The same for commands that work on the served folder: defaults `root` to the folder served last. */
export async function storedForCommands(database: string): Promise<StoredSettings> {
  const { server, servedRoot } = serverSettingsIn(await peekSettings(database))
  const stored = fromServer(server)
  return { ...stored, root: stored.root || servedRoot }
}

function fromServer(server: ServerSettings): StoredSettings {
  const { root, baseURL, socket, port, address, log, tlsCert, tlsKey, fileMode, dirMode } = server
  const open = OPEN_SETTING_NAMES.map(name => [name, keptText(server, name)])
  return {
    ...Object.fromEntries(open),
    root,
    baseURL,
    socket,
    port,
    address,
    log,
    fileMode,
    dirMode,
    cert: tlsCert,
    key: tlsKey,
    disableExec: server.enableExec ? 'false' : '',
    followExternalSymlinks: server.followExternalSymlinks ? 'true' : '',
  }
}
